import { expect, it } from '@jest/globals';
import { periodsBetween } from './periods.js';

const between = (start: string, end: string, ...rest: [Parameters<typeof periodsBetween>[2], string?, number?]) =>
  periodsBetween(new Date(start), new Date(end), rest[0], rest[1] ?? 'UTC', rest[2] ?? 10_000);

it('every day, week and month that the range touches is named by its first day', () => {
  expect(between('2026-07-01T00:00:00Z', '2026-07-03T00:00:00Z', 'daily')).toEqual(['2026-07-01', '2026-07-02']);
  expect(between('2026-07-01T00:00:00Z', '2026-07-06T00:00:01Z', 'weekly')).toEqual(['2026-06-29', '2026-07-06']);
  expect(between('2026-11-30T00:00:00Z', '2027-01-02T00:00:00Z', 'monthly')).toEqual([
    '2026-11-01',
    '2026-12-01',
    '2027-01-01',
  ]);
});

it('a day begins at midnight in the time zone', () => {
  expect(between('2026-07-01T18:29:00Z', '2026-07-01T18:31:00Z', 'daily', 'Asia/Kolkata')).toEqual([
    '2026-07-01',
    '2026-07-02',
  ]);
  expect(between('2026-07-01T00:00:00Z', '2026-07-01T01:00:00Z', 'daily', 'America/New_York')).toEqual(['2026-06-30']);
});

it('an hour begins at a quarter past in some zones, and a day has 23 hours when the clocks go forward', () => {
  expect(between('2026-07-01T00:00:00Z', '2026-07-01T01:00:00Z', 'hourly', 'Asia/Kathmandu')).toEqual([
    '2026-06-30T23:15:00.000Z',
    '2026-07-01T00:15:00.000Z',
  ]);
  expect(between('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'hourly', 'Europe/Berlin')).toHaveLength(23);
});

it('the hours of a year are those that a look-up of each hour finds', () => {
  const begun = performance.now();
  const hours = between('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', 'hourly', 'Australia/Lord_Howe') ?? [];
  // Lord Howe moves its clocks by half an hour: 11 h and 10.5 h ahead.
  expect(hours.filter((at) => at.endsWith(':30:00.000Z')).length).toBeGreaterThan(4_000);
  expect(hours.filter((at) => at.endsWith(':00:00.000Z')).length).toBeGreaterThan(4_000);
  expect(new Set(hours).size).toBe(hours.length);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

it('the result is undefined for too many periods and empty for an empty range', () => {
  expect(between('2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z', 'daily', 'UTC', 1)).toBeUndefined();
  expect(between('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'daily')).toEqual([]);
});
