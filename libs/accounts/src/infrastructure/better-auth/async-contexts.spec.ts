import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { inContexts } from './async-contexts.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Node 24 has no such state, and needs none. */
const isEnabled = (storage: AsyncLocalStorage<string>): boolean =>
  (storage as unknown as { enabled?: boolean }).enabled === true;

it('a storage is disabled when work with it has ended, and not while other work goes on', async () => {
  const storage = new AsyncLocalStorage<string>();
  let end = (): void => undefined;
  const long = inContexts([storage], () => storage.run('long', () => new Promise<void>((resolve) => (end = resolve))));
  expect(await inContexts([storage], () => storage.run('short', async () => storage.getStore()))).toBe('short');
  jest.runAllTimers();
  expect(isEnabled(storage)).toBe(Number(process.versions.node.split('.')[0]) < 24);

  end();
  await long;
  jest.runAllTimers();
  expect(isEnabled(storage)).toBe(false);
  expect(await inContexts([storage], () => storage.run('again', async () => storage.getStore()))).toBe('again');
});
