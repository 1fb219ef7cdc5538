import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { FairBudget } from './fair-budget.js';
import { takeWithin } from './slots.js';

const busy = new Error('busy');
let budget: FairBudget;

beforeEach(() => {
  jest.useFakeTimers();
  budget = new FairBudget({ total: 1, maxPerOwner: 1 });
});
afterEach(() => void jest.useRealTimers());

const take = () =>
  takeWithin(
    100,
    () => busy,
    (signal) => budget.take(['a'], 1, signal),
  );

it('grants what is free, and leaves no timer behind', async () => {
  const share = await take();
  expect([share.amount, jest.getTimerCount()]).toEqual([1, 0]);
});

it('refuses when the time is over, and withdraws the request', async () => {
  const share = await take();
  const late = take();
  const refused = expect(late).rejects.toBe(busy);
  await jest.advanceTimersByTimeAsync(100);
  await refused;
  share.release();
  expect([budget.used, budget.isContended]).toEqual([0, false]);
});

it('grants what is released in time', async () => {
  const share = await take();
  const next = take();
  await jest.advanceTimersByTimeAsync(99);
  share.release();
  expect((await next).amount).toBe(1);
});
