import { describe, expect, it } from '@jest/globals';
import {
  dayOfHour,
  defaultSchedule,
  hourlyLimit,
  hourOf,
  leftOf,
  newRamp,
  nextAt,
  projectedEnd,
  Ramp,
  rampAt,
  startOfHour,
  withSent,
} from './warm-up.js';

const schedule = [50, 100, 500];
const midnight = hourOf(new Date('2026-11-20T00:00:00Z'));
const dayOf = (sent: number, fields: Partial<Ramp> = {}): Ramp => ({
  ...newRamp(midnight + 9),
  daySent: sent,
  ...fields,
});
const nextDay = midnight + 24;

it('the default schedule rises from 50 to a million in three weeks', () => {
  expect(defaultSchedule).toHaveLength(21);
  expect([defaultSchedule[0], defaultSchedule.at(-1)]).toEqual([50, 1_000_000]);
  expect([...defaultSchedule].sort((a, b) => a - b)).toEqual(defaultSchedule);
});

it.each([
  [50, 10],
  [4, 4],
  [500, 50],
  [1_001, 101],
])('of %d messages a day %d may go in an hour', (limit, hourly) => {
  expect(hourlyLimit(limit)).toBe(hourly);
});

describe('the end of a day', () => {
  it.each([
    [50, 0, 'advanced', 100],
    [25, 0, 'advanced', 100],
    [24, 0, 'too_little_mail', 50],
    [40, 2, 'advanced', 100],
    [40, 3, 'slowed', 50],
  ] as const)('after %d of 50 messages, %d of them bad: %s', (...[sent, bad, decision, limit]) => {
    const ramp = rampAt(dayOf(sent), schedule, nextDay, bad);
    expect(ramp).toMatchObject({ daySent: 0, hourSent: 0, lastDay: { limit: 50, sent, bad, decision } });
    expect(schedule[ramp.step]).toBe(limit);
  });

  it('is the end of the ramp after a good last day', () => {
    expect(rampAt(dayOf(499, { step: 2 }), schedule, nextDay, 0)).toMatchObject({ step: 2, isDone: true });
    expect(rampAt(dayOf(499, { step: 2 }), schedule, nextDay, 400)).toMatchObject({ step: 2, isDone: false });
  });

  it('counts once, however many days without mail follow', () => {
    expect(rampAt(dayOf(50), schedule, nextDay + 5 * 24, 0)).toMatchObject({ step: 1, hour: nextDay + 5 * 24 });
  });
});

describe('within a day', () => {
  it('each hour has its part, and the day its limit', () => {
    const spent = withSent(newRamp(midnight), schedule, 10);
    expect([leftOf(spent, schedule), nextAt(spent, schedule)]).toEqual([0, startOfHour(midnight + 1)]);
    const evening = rampAt(withSent(spent, schedule, 35), schedule, midnight + 20, 0);
    expect(leftOf(evening, schedule)).toBe(5);
    const over = withSent(evening, schedule, 5);
    expect([leftOf(over, schedule), nextAt(over, schedule)]).toEqual([0, startOfHour(nextDay)]);
  });

  it('half of the limit makes a busy day', () => {
    expect(withSent(dayOf(20), schedule, 4).busyDay).toBeNull();
    expect(withSent(dayOf(20), schedule, 5).busyDay).toBe(dayOfHour(midnight));
  });
});

describe('a clock that is set back', () => {
  const spent = dayOf(45, { hourSent: 10 });

  it('gives nothing twice', () => {
    expect(rampAt(spent, schedule, spent.hour - 5, 0)).toEqual(spent);
    expect(leftOf(rampAt(spent, schedule, spent.hour - 24, 0), schedule)).toBe(0);
  });

  it('by more than a day is followed, and what went stays counted', () => {
    const followed = rampAt(spent, schedule, spent.hour - 1_000, 0);
    expect(followed).toEqual({ ...spent, hour: spent.hour - 1_000 });
    expect(leftOf(followed, schedule)).toBe(0);
  });
});

it('the projected end comes after all days that are left', () => {
  expect(projectedEnd(newRamp(midnight + 3), schedule)).toEqual(new Date('2026-11-23T00:00:00Z'));
  expect(projectedEnd(dayOf(0, { step: 2 }), schedule)).toEqual(new Date('2026-11-21T00:00:00Z'));
  expect(projectedEnd(dayOf(0, { isDone: true }), schedule)).toBeNull();
});
