import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { NoConnectionError } from '#kernel';
import { ConnectionShare } from './connection-share.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function pending(): { readonly work: () => Promise<string>; readonly finish: () => void } {
  let finish!: (value: string) => void;
  const promise = new Promise<string>((resolve) => (finish = resolve));
  return { work: () => promise, finish: () => finish('done') };
}

describe('ConnectionShare', () => {
  it('gives a released connection to the work that has waited longest', async () => {
    const share = new ConnectionShare(1, 1_000);
    const order: number[] = [];
    const first = pending();
    const held = share.use(first.work);
    const others = [1, 2].map((number) => share.use(async () => void order.push(number)));

    first.finish();
    expect(await held).toBe('done');
    await Promise.all(others);
    expect(order).toEqual([1, 2]);
  });

  it('refuses work that has waited too long, and serves the next', async () => {
    const share = new ConnectionShare(1, 1_000);
    const first = pending();
    const held = share.use(first.work);
    const late = share.use(async () => 'late');
    jest.advanceTimersByTime(600);
    const inTime = share.use(async () => 'in time');
    jest.advanceTimersByTime(400);

    await expect(late).rejects.toThrow(NoConnectionError);
    first.finish();
    await held;
    expect(await inTime).toBe('in time');
  });

  it('releases the connection when the work fails', async () => {
    const share = new ConnectionShare(1, 1_000);
    await expect(share.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await share.use(async () => 'next')).toBe('next');
  });
});
