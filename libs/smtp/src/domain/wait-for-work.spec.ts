import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { waitForWork, WorkAllowance } from './work-allowance.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Resolves with the time that the owner waited, in ms. */
async function waited(work: WorkAllowance, costMs: number, isGone = (): boolean => false): Promise<number | undefined> {
  const startedAt = performance.now();
  let ms: number | undefined;
  const waitMs = work.charge('a', costMs, startedAt);
  waitForWork(work, 'a', waitMs, { isGone, goOn: () => void (ms = performance.now() - startedAt) });
  await jest.advanceTimersByTimeAsync(200_000);
  return ms;
}

it('an owner over its allowance waits until it is within it', async () => {
  const work = new WorkAllowance({ perOwner: 100, together: 200, burstMs: 50 });

  expect(await waited(work, 350)).toBe(3_000);
});

it('an owner waits for less time after others have left', async () => {
  const work = new WorkAllowance({ perOwner: 100, together: 200, burstMs: 50 });
  for (let other = 0; other < 19; other++) work.charge(`other ${other}`, 51, performance.now());

  expect(work.charge('a', 0, performance.now())).toBe(0);
  // It would be 30 s if they had stayed.
  expect(await waited(work, 350)).toBeLessThan(10_000);
});

it('a client does not wait longer for later work of the same owner', async () => {
  const work = new WorkAllowance({ perOwner: 100, together: 200, burstMs: 50 });
  const more = setInterval(() => work.charge('a', 1_000, performance.now()), 100);

  expect(await waited(work, 350)).toBe(3_000);
  clearInterval(more);
});

it('nothing is done for a client that is gone', async () => {
  const work = new WorkAllowance({ perOwner: 100, together: 200, burstMs: 50 });

  expect(await waited(work, 350, () => true)).toBeUndefined();
});
