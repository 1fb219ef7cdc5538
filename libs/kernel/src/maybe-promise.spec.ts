import { expect, it } from '@jest/globals';
import { isPromise, whenKnown } from './maybe-promise.js';

it('goes on at once with what is known, and later with what comes', async () => {
  expect(whenKnown(1, (value) => value + 1)).toBe(2);
  expect(whenKnown(undefined, () => 'nothing')).toBe('nothing');
  const later = whenKnown(Promise.resolve(1), (value) => value + 1);
  expect(isPromise(later)).toBe(true);
  expect(await later).toBe(2);
});

it('fails at once where the value was known, and else with the promise', async () => {
  const refuse = (): never => {
    throw new Error('refused');
  };
  expect(() => whenKnown(1, refuse)).toThrow('refused');
  await expect(whenKnown(Promise.resolve(1), refuse)).rejects.toThrow('refused');
});
