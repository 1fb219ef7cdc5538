import { expect, it } from '@jest/globals';
import { dayAfter, dayIn, momentOfWallClock, wallClockText } from './zoned-days.js';

it.each([
  ['2026-11-30', 'UTC', '2026-11-30T00:00:00.000Z'],
  ['2026-11-30', 'Europe/Berlin', '2026-11-29T23:00:00.000Z'],
  ['2026-11-30', 'America/New_York', '2026-11-30T05:00:00.000Z'],
  ['2026-11-30', 'Asia/Kolkata', '2026-11-29T18:30:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-11-30T14:30', 'Asia/Tokyo', '2026-11-30T05:30:00.000Z'],
])('%s in %s begins at %s', (text, zone, moment) => {
  expect(momentOfWallClock(text, zone).toISOString()).toBe(moment);
});

it('a moment has the day and the clock of the zone', () => {
  expect(dayIn(new Date('2026-11-30T23:30:00Z'), 'Europe/Berlin')).toBe('2026-12-01');
  expect(dayIn(new Date('2026-11-30T03:30:00Z'), 'America/New_York')).toBe('2026-11-29');
  expect(wallClockText(new Date('2026-11-30T23:30:00Z'), 'Europe/Berlin')).toBe('2026-12-01T00:30');
  expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
});
