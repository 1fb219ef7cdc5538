import { expect, it } from '@jest/globals';
import { boundsOfPeriod, periodLabel, rangeOf } from './metric-ranges.js';

it('a period ends where the next begins', () => {
  expect(boundsOfPeriod('2026-11-30', 'daily').to).toBe('2026-12-01T00:00:00.000Z');
  expect(boundsOfPeriod('2026-11-30', 'weekly').to).toBe('2026-12-07T00:00:00.000Z');
  expect(boundsOfPeriod('2026-12-01', 'monthly').to).toBe('2027-01-01T00:00:00.000Z');
  expect(boundsOfPeriod('2026-11-30T23:15:00.000Z', 'hourly').to).toBe('2026-12-01T00:15:00.000Z');
});

it('a period is named as its granularity wants it, in the zone of the reader', () => {
  expect(periodLabel('2026-11-30T23:00:00.000Z', 'hourly', 'en-GB', 'Europe/Berlin')).toBe('00:00');
  expect(periodLabel('2026-11-30', 'daily', 'en-GB', 'America/New_York')).toBe('30 Nov');
  expect(rangeOf('nothing').id).toBe('week');
});
