import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FairBudget } from './fair-budget.js';
import { Slots } from './slots.js';

const busy = new Error('busy');
let budget: FairBudget;

beforeEach(() => {
  jest.useFakeTimers();
  budget = new FairBudget({ total: 1, maxPerOwner: 1 });
});
afterEach(() => void jest.useRealTimers());

const take = () => budget.hold(['a'], 1, { maxWaitMs: 100, refusal: () => busy });

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

function pending(): { readonly work: () => Promise<string>; readonly finish: () => void } {
  let finish!: (value: string) => void;
  const promise = new Promise<string>((resolve) => (finish = resolve));
  return { work: () => promise, finish: () => finish('done') };
}

describe('Slots', () => {
  it('gives a released slot to the work that has waited longest', async () => {
    const slots = new Slots(1, { maxWaitMs: 1_000, refusal: () => busy });
    const order: number[] = [];
    const first = pending();
    const held = slots.use(first.work);
    const others = [1, 2].map((number) => slots.use(async () => void order.push(number)));

    first.finish();
    expect(await held).toBe('done');
    await Promise.all(others);
    expect(order).toEqual([1, 2]);
  });

  it('refuses work that has waited too long, and serves the next', async () => {
    const slots = new Slots(1, { maxWaitMs: 1_000, refusal: () => busy });
    const first = pending();
    const held = slots.use(first.work);
    const late = slots.use(async () => 'late');
    jest.advanceTimersByTime(600);
    const inTime = slots.use(async () => 'in time');
    jest.advanceTimersByTime(400);

    await expect(late).rejects.toBe(busy);
    first.finish();
    await held;
    expect(await inTime).toBe('in time');
  });

  it('releases the slot when the work fails', async () => {
    const slots = new Slots(1, { maxWaitMs: 1_000, refusal: () => busy });
    await expect(slots.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.use(async () => 'next')).toBe('next');
  });
});
