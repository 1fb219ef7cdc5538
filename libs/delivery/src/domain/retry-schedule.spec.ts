import { expect, it } from '@jest/globals';
import { nextAttemptAt, retryHorizonMs } from './retry-schedule.js';

const queuedAt = new Date('2026-11-21T00:00:00Z');
const minutesAfter = (moment: Date | undefined): number => ((moment?.getTime() ?? NaN) - queuedAt.getTime()) / 60_000;

it('waits minutes at first, for greylisting, and longer each time', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) => minutesAfter(nextAttemptAt(attempt, queuedAt, queuedAt, 0.5)));
  expect(waits).toEqual([1, 3, 5, 10, 20, 30]);
});

it('spreads retries by up to a fifth in either direction', () => {
  expect(minutesAfter(nextAttemptAt(4, queuedAt, queuedAt, 0))).toBe(8);
  expect(minutesAfter(nextAttemptAt(4, queuedAt, queuedAt, 1))).toBe(12);
});

it('waits as long as the receiver requests', () => {
  expect(minutesAfter(nextAttemptAt(1, queuedAt, queuedAt, 0.5, 900))).toBe(15);
});

it('gives up after 48 hours, and after more than a dozen attempts', () => {
  let now = queuedAt;
  let attempts = 0;
  for (let next: Date | undefined = now; next !== undefined; next = nextAttemptAt(attempts, queuedAt, now, 0.5)) {
    now = next;
    attempts++;
  }
  expect(attempts).toBeGreaterThan(12);
  expect(now.getTime() - queuedAt.getTime()).toBeLessThanOrEqual(retryHorizonMs);
  expect(nextAttemptAt(4, queuedAt, new Date(queuedAt.getTime() + retryHorizonMs), 0.5)).toBeUndefined();
});

it('tries mail whose first attempt is late at least four times', () => {
  const late = new Date(queuedAt.getTime() + 3 * retryHorizonMs);
  expect([1, 2, 3, 4].map((attempt) => nextAttemptAt(attempt, queuedAt, late, 0.5) !== undefined)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
