import { expect, it } from '@jest/globals';
import {
  boundsOfPeriod,
  chosenSpan,
  periodLabel,
  rangeOf,
  rangeOfData,
  spanOfRange,
  tickLabel,
} from './metric-ranges.js';

const now = Date.parse('2026-11-30T23:40:00Z');

it('a period ends where the next begins', () => {
  expect(boundsOfPeriod('2026-11-30', 'daily', 'UTC').to).toBe('2026-12-01T00:00:00.000Z');
  expect(boundsOfPeriod('2026-11-30', 'weekly', 'UTC').to).toBe('2026-12-07T00:00:00.000Z');
  expect(boundsOfPeriod('2026-12-01', 'monthly', 'UTC').to).toBe('2027-01-01T00:00:00.000Z');
  expect(boundsOfPeriod('2027-02-01', 'monthly', 'UTC').to).toBe('2027-03-01T00:00:00.000Z');
  expect(boundsOfPeriod('2026-11-30T23:15:00.000Z', 'hourly', 'UTC').to).toBe('2026-12-01T00:15:00.000Z');
});

it('a day is a day of the zone, also where the clocks change', () => {
  expect(boundsOfPeriod('2026-11-30', 'daily', 'Asia/Tokyo')).toEqual({
    from: '2026-11-29T15:00:00.000Z',
    to: '2026-11-30T15:00:00.000Z',
  });
  expect(boundsOfPeriod('2026-10-25', 'daily', 'Europe/Berlin')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
  });
});

it('a range begins with a whole period of the zone', () => {
  expect(spanOfRange(rangeOf('week'), now, 'Asia/Tokyo').from).toBe('2026-11-24T15:00:00.000Z');
  expect(spanOfRange(rangeOf('week'), now, 'UTC').from).toBe('2026-11-24T00:00:00.000Z');
  expect(spanOfRange(rangeOf('day'), now, 'UTC').from).toBe('2026-11-30T00:00:00.000Z');
  expect(new Date(spanOfRange(rangeOf('quarter'), now, 'UTC').from).getUTCDay()).toBe(1);
  expect(spanOfRange(rangeOf('year'), now, 'UTC').from).toBe('2025-12-01T00:00:00.000Z');
});

it('a chosen span has periods that suit its length, and nonsense is no span', () => {
  expect(chosenSpan('2026-11-30T10:00:00Z', '2026-11-30T14:00:00Z')?.granularity).toBe('hourly');
  expect(chosenSpan('2026-11-01T00:00:00Z', '2026-11-30T00:00:00Z')?.granularity).toBe('daily');
  expect(chosenSpan('2026-06-01T00:00:00Z', '2026-11-30T00:00:00Z')?.granularity).toBe('weekly');
  expect(chosenSpan('2026-11-30T14:00:00Z', '2026-11-30T10:00:00Z')).toBeUndefined();
  expect(chosenSpan('yesterday', undefined)).toBeUndefined();
});

it('a period is named as its granularity wants it, in the zone of the reader', () => {
  expect(periodLabel('2026-11-30T23:00:00.000Z', 'hourly', 'en-GB', 'Europe/Berlin')).toBe('1 Dec, 00:00');
  expect(periodLabel('2026-11-30', 'daily', 'en-GB', 'America/New_York')).toBe('30 Nov');
  expect(rangeOf('nothing').id).toBe('week');
});

it('an hour on an axis is told as the locale does, and midnight names the day', () => {
  expect(tickLabel('2026-11-30T14:00:00.000Z', 'hourly', 'en-GB', 'UTC')).toBe('14:00');
  expect(tickLabel('2026-11-30T14:00:00.000Z', 'hourly', 'en-US', 'UTC').replace(/\s/u, ' ')).toBe('2 PM');
  expect(tickLabel('2026-11-30T14:00:00.000Z', 'hourly', 'de', 'Asia/Kolkata')).toBe('19:30');
  expect(tickLabel('2026-11-30T00:00:00.000Z', 'hourly', 'en-GB', 'UTC')).toBe('30 Nov');
});

it('a new account begins with hours, an older one with days', () => {
  const after = (quiet: number, busy: number) =>
    rangeOfData([...Array<number>(quiet).fill(0), ...Array<number>(busy).fill(3)].map((sent) => ({ sent }))).id;
  expect(after(7, 1)).toBe('day');
  expect(after(6, 2)).toBe('days');
  expect(rangeOfData([0, 0, 4, 0].map((sent) => ({ sent }))).id).toBe('days');
  expect(after(4, 4)).toBe('week');
  expect(after(0, 8)).toBe('week');
  expect(after(8, 0)).toBe('week');
  expect(rangeOfData([]).id).toBe('week');
});
