import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '#observability/logging';
import { Timers } from './timers.js';

describe('work that is repeated', () => {
  const warn = jest.fn();
  let timers: Timers;
  let begun: number;
  let end: () => void;

  const work = (): Promise<void> => {
    begun++;
    return new Promise((resolve) => (end = resolve));
  };

  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
    begun = 0;
    timers = new Timers({ warn } as unknown as Logger);
  });
  afterEach(() => void jest.useRealTimers());

  it('begins again after its pause, and not while it is running', async () => {
    timers.every(1_000, 'working', work, 100);
    await jest.advanceTimersByTimeAsync(100);
    expect(begun).toBe(1);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(begun).toBe(1);
    end();
    await jest.advanceTimersByTimeAsync(999);
    expect(begun).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toBe(2);
  });

  it('continues after a failure, which is logged', async () => {
    const failing = async (): Promise<void> => {
      begun++;
      throw new Error('no');
    };
    timers.every(1_000, 'working', failing);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(begun).toBe(2);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledWith(expect.anything(), 'working failed; it is tried again');
  });

  it('is finished before a stop, and does not begin again', async () => {
    timers.every(1_000, 'working', work);
    await jest.advanceTimersByTimeAsync(1_000);
    let stopped = false;
    const stopping = timers.beforeApplicationShutdown().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(0);
    expect(stopped).toBe(false);
    end();
    await stopping;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(begun).toBe(1);
  });

  it('does not hold up a stop for more than 10 s', async () => {
    timers.every(1_000, 'working', work);
    await jest.advanceTimersByTimeAsync(1_000);
    const stopping = timers.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
  });
});
