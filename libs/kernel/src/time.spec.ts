import { expect, it } from '@jest/globals';
import { existingMoment, isTimeZone, momentOf, wallTime } from './time.js';

it('a day and a time with an offset are moments', () => {
  expect(existingMoment('2028-02-29')?.toISOString()).toBe('2028-02-29T00:00:00.000Z');
  expect(existingMoment('2026-03-01T00:30:00+02:00')?.toISOString()).toBe('2026-02-28T22:30:00.000Z');
});

it('a day or an hour that does not exist is none', () => {
  for (const text of [
    '2026-02-30',
    '2026-02-29T10:00:00Z',
    '2026-04-31T10:00:00+05:30',
    '2026-13-01',
    '2026-01-01T25:00Z',
    '',
  ]) {
    expect(existingMoment(text)).toBeUndefined();
  }
});

const momentIn = (zone: string, wall: string): string | undefined => {
  const moment = momentOf(Date.parse(wall), zone);
  return moment === undefined ? undefined : new Date(moment).toISOString();
};

it('knows the names of zones', () => {
  expect(['Europe/Berlin', 'Asia/Calcutta', 'utc', 'Middle/Earth', ''].map(isTimeZone)).toEqual([
    ...[true, true, true, false, false],
  ]);
});

it('reads the clock on the wall', () => {
  expect(new Date(wallTime(new Date('2026-07-01T08:00:00.5Z'), 'Europe/Berlin')).toISOString()).toBe(
    '2026-07-01T10:00:00.500Z',
  );
  expect(() => wallTime(new Date(), 'Middle/Earth')).toThrow(RangeError);
});

it('finds the moment of a time on the wall, behind a gap and at the first of two', () => {
  expect(momentIn('Asia/Kolkata', '2026-07-01T10:00:00Z')).toBe('2026-07-01T04:30:00.000Z');
  // New York puts its clocks forward at 02:00 on 8 March 2026, and back at 02:00 on 1 November.
  expect(momentIn('America/New_York', '2026-03-08T02:30:00Z')).toBe('2026-03-08T07:30:00.000Z');
  expect(momentIn('America/New_York', '2026-11-01T01:30:00Z')).toBe('2026-11-01T05:30:00.000Z');
  expect(momentIn('Middle/Earth', '2026-07-01T10:00:00Z')).toBeUndefined();
});
