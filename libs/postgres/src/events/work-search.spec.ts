import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Clock } from '#kernel';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import type { Database, Statement } from '#postgres/database';
import { WorkSearch } from './work-search.js';

describe('one look for the work of all workers', () => {
  const warn = jest.fn();
  const logger = { warn, error: () => undefined } as unknown as Logger;
  const clock: Clock = { now: () => new Date(1_000) };
  let looks: Statement[];
  let answer: () => Promise<boolean[]>;
  let begun: string[];
  let search: WorkSearch;

  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
    looks = [];
    begun = [];
    answer = async () => [false, false];
    const database = {
      query: async (statement: Statement) => {
        looks.push(statement);
        return [{ found: await answer() }];
      },
    } as unknown as Database;
    search = new WorkSearch(database, new Timers(logger), clock, logger);
    search.every(1_000, 'the one', 'one_is_due', async () => void begun.push('one'));
    search.every(1_000, 'the other', 'other_is_due', async () => void begun.push('other'));
  });
  afterEach(() => void jest.useRealTimers());

  /** Each work has begun once, as after a start. */
  const afterFirst = async (): Promise<void> => {
    await jest.advanceTimersByTimeAsync(1_250);
    expect(begun.splice(0)).toEqual(['one', 'other']);
    looks.splice(0);
  };

  it('begins each work once after its start, one after the other, and then only what the look finds', async () => {
    await afterFirst();
    answer = async () => [false, true];
    await jest.advanceTimersByTimeAsync(1_250);
    expect(begun).toEqual(['other']);
    expect(looks[0]).toMatchObject({
      text: 'SELECT ARRAY[one_is_due, other_is_due] AS found WHERE $1::timestamptz IS NOT NULL',
      values: [new Date(1_000)],
    });
  });

  it('asks once for all of them, and not while they rest', async () => {
    await afterFirst();
    await jest.advanceTimersByTimeAsync(500);
    expect(looks).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([looks.length, begun]).toEqual([4, []]);
  });

  it('begins all work half a minute after the last time, so that a wrong condition only delays', async () => {
    await afterFirst();
    await jest.advanceTimersByTimeAsync(29_000);
    expect(begun).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(begun).toEqual(['one', 'other']);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('no database'))],
    ['takes more than a second', () => new Promise<boolean[]>(() => undefined)],
  ])('lets each worker look by itself if the look %s', async (_, failing) => {
    await afterFirst();
    answer = failing;
    await jest.advanceTimersByTimeAsync(3_250);
    expect(new Set(begun)).toEqual(new Set(['one', 'other']));
  });

  it('logs a failure and goes on, and a stop waits for running work', async () => {
    let end = (): void => undefined;
    search.every(250, 'the third', 'third_is_due', async () => {
      begun.push('third');
      if (begun.length === 1) throw new Error('no');
      await new Promise<void>((resolve) => (end = resolve));
    });
    answer = async () => [false, false, true];
    await jest.advanceTimersByTimeAsync(750);
    expect(begun).toEqual(['third', 'third']);
    expect(warn).toHaveBeenCalledWith(expect.anything(), 'the third failed; it is tried again');
    const stopped = jest.fn();
    void search.beforeApplicationShutdown().then(stopped);
    await jest.advanceTimersByTimeAsync(0);
    expect(stopped).not.toHaveBeenCalled();
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect(stopped).toHaveBeenCalled();
  });
});
