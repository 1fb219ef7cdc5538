import { expect, it } from '@jest/globals';
import { emailsNow, paceOf, pacedUntil, paceHorizon } from './throttle.js';

const start = Date.parse('2026-11-22T12:00:00Z');

/** Sends for some hours, looking once a second and as often as it may within it. Returns when each email was sent. */
function sentTimes(perHour: number, hours: number, isAway: (second: number) => boolean = () => false): number[] {
  const times: number[] = [];
  let until: Date | null = null;
  for (let second = 0; second < hours * 3_600; second++) {
    if (isAway(second)) continue;
    const now = new Date(start + second * 1_000);
    for (;;) {
      const pace = paceOf(perHour, until, now);
      const count = Math.min(250, emailsNow(pace, now));
      if (count === 0) break;
      for (let n = 0; n < count; n++) times.push(second);
      until = pacedUntil(pace, count);
      expect(until > pace.from).toBe(true);
    }
  }
  return times;
}

function mostInAnHour(times: readonly number[]): number {
  let most = 0;
  let first = 0;
  times.forEach((time, no) => {
    while ((times[first] ?? 0) <= time - 3_600) first++;
    most = Math.max(most, no - first + 1);
  });
  return most;
}

it.each([1, 7, 3_600, 10_000, 1_000_000])('of %s an hour no hour has more, and hardly fewer', (perHour) => {
  const times = sentTimes(perHour, 3);
  expect(mostInAnHour(times)).toBeLessThanOrEqual(perHour);
  expect(times.length).toBeGreaterThanOrEqual(Math.floor(perHour * 3 * 0.99));
});

it('emails are spread over the hour', () => {
  const times = sentTimes(36_000, 1);
  const perMinute = Array.from({ length: 60 }, (_, m) => times.filter((at) => Math.floor(at / 60) === m).length);
  expect(Math.min(...perMinute)).toBeGreaterThan(550);
  expect(Math.max(...perMinute)).toBeLessThan(650);
});

it('a time in which nothing was sent is not made up for with a burst', () => {
  const times = sentTimes(3_600, 2, (second) => second > 600 && second < 4_200);
  expect(times.filter((at) => at >= 4_200 && at < 4_260).length).toBeLessThanOrEqual(72);
  expect(mostInAnHour(times)).toBeLessThanOrEqual(3_600);
});

it('contacts that get nothing use up nothing', () => {
  const now = new Date(start);
  const pace = paceOf(100, new Date(start + 1_000), now);
  expect(pacedUntil(pace, 0)).toEqual(pace.from);
});

it('says from when on there is a next email', () => {
  const now = new Date(start);
  expect(emailsNow(paceOf(100, paceHorizon(now), now), now)).toBe(0);
  expect(emailsNow(paceOf(100, new Date(paceHorizon(now).getTime() - 1), now), now)).toBe(1);
});
