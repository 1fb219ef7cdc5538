import { expect, it } from '@jest/globals';
import { ShortCache } from './short-cache.js';

const options = { ttlMs: 60_000, maxEntries: 2 };

it('loads once for callers that ask at the same time and again only after it was told to forget', async () => {
  const cache = new ShortCache<number>(options);
  let loads = 0;
  const load = async (): Promise<number> => ++loads;
  expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([1, 1]);
  expect(await cache.get('a', load)).toBe(1);
  cache.forget();
  expect(await cache.get('a', load)).toBe(2);
});

it('does not keep an answer whose load began before the change', async () => {
  const cache = new ShortCache<string>(options);
  let finish: (value: string) => void = () => undefined;
  const stale = cache.get('a', () => new Promise<string>((resolve) => (finish = resolve)));
  cache.forget();
  finish('before');
  expect(await stale).toBe('before');
  expect(await cache.get('a', async () => 'after')).toBe('after');
});

it('remembers nothing of what does not exist', async () => {
  const cache = new ShortCache<string>(options);
  expect(await cache.get('a', async () => undefined)).toBeUndefined();
  expect(await cache.get('a', async () => 'now it does')).toBe('now it does');
});

it('keeps no more entries than it may', async () => {
  const cache = new ShortCache<string>(options);
  for (const key of ['a', 'b', 'c']) await cache.get(key, async () => key);
  expect(await cache.get('a', async () => 'loaded again')).toBe('loaded again');
});

it('lets a failed load be tried again', async () => {
  const cache = new ShortCache<string>(options);
  await expect(cache.get('a', async () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('a', async () => 'up')).toBe('up');
});
