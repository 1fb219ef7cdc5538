import { expect, it } from '@jest/globals';
import { periodsBetween } from './periods.js';

const between = (start: string, end: string, ...rest: [Parameters<typeof periodsBetween>[2], string?, number?]) =>
  periodsBetween(new Date(start), new Date(end), rest[0], rest[1] ?? 'UTC', rest[2] ?? 10_000);

it('days, weeks and months are named by their first day, all that the range touches', () => {
  expect(between('2026-07-01T00:00:00Z', '2026-07-03T00:00:00Z', 'daily')).toEqual(['2026-07-01', '2026-07-02']);
  expect(between('2026-07-01T00:00:00Z', '2026-07-06T00:00:01Z', 'weekly')).toEqual(['2026-06-29', '2026-07-06']);
  expect(between('2026-11-30T00:00:00Z', '2027-01-02T00:00:00Z', 'monthly')).toEqual([
    '2026-11-01',
    '2026-12-01',
    '2027-01-01',
  ]);
});

it('a day begins when it does in the time zone', () => {
  expect(between('2026-07-01T18:29:00Z', '2026-07-01T18:31:00Z', 'daily', 'Asia/Kolkata')).toEqual([
    '2026-07-01',
    '2026-07-02',
  ]);
  expect(between('2026-07-01T00:00:00Z', '2026-07-01T01:00:00Z', 'daily', 'America/New_York')).toEqual(['2026-06-30']);
});

it('hours begin at the half in some zones, and there are 23 on the day that the clocks go forward', () => {
  expect(between('2026-07-01T00:00:00Z', '2026-07-01T01:00:00Z', 'hourly', 'Asia/Kathmandu')).toEqual([
    '2026-06-30T23:15:00.000Z',
    '2026-07-01T00:15:00.000Z',
  ]);
  expect(between('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'hourly', 'Europe/Berlin')).toHaveLength(23);
});

it('more periods than allowed are none, and an empty range has none', () => {
  expect(between('2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z', 'daily', 'UTC', 1)).toBeUndefined();
  expect(between('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'daily')).toEqual([]);
});
