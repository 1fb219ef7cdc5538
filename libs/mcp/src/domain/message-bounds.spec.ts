import { expect, it } from '@jest/globals';
import { hasFewValues, maxMessageValues } from './message-bounds.js';

const numbers = (length: number): number[] => Array.from({ length }, (_, at) => at);

it('counts the values of a message at any depth', () => {
  expect(hasFewValues({ params: { arguments: { to: ['a@b.test'], template: { id: 'x' } } } })).toBe(true);
  expect(hasFewValues(numbers(maxMessageValues - 1))).toBe(true);
  expect(hasFewValues(numbers(maxMessageValues))).toBe(false);
  expect(hasFewValues({ a: { b: Object.fromEntries(numbers(maxMessageValues).map((at) => [`k${at}`, at])) } })).toBe(
    false,
  );
  expect(hasFewValues(JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`))).toBe(false);
  expect([undefined, null, 'text', 7].map(hasFewValues)).toEqual([true, true, true, true]);
});
