import { describe, expect, it } from '@jest/globals';
import { dayIn, endOfHours, nextDayIn, nextTimeOfDay, saidIn, zoneOf } from './local-time.js';

const at = (text: string): Date => new Date(text);

it('the zone of a contact is that of its property, else the first that is known', () => {
  expect(zoneOf({ time_zone: 'Asia/Tokyo' }, 'Europe/Berlin')).toBe('Asia/Tokyo');
  expect(zoneOf({ time_zone: 'Middle/Earth', timezone: 'Asia/Tokyo' }, 'Europe/Berlin')).toBe('Asia/Tokyo');
  expect(zoneOf({ time_zone: 5 }, null, 'Europe/Berlin')).toBe('Europe/Berlin');
  expect(zoneOf(undefined)).toBe('UTC');
});

describe('the next time of day', () => {
  it.each([
    ['2026-07-01T06:59:59Z', '2026-07-01T07:00:00.000Z'],
    ['2026-07-01T07:00:00Z', '2026-07-01T07:00:00.000Z'],
    ['2026-07-01T07:00:01Z', '2026-07-02T07:00:00.000Z'],
    // The clocks are put back on 25 October.
    ['2026-10-24T12:00:00Z', '2026-10-25T08:00:00.000Z'],
  ])('after %s is %s', (now, expected) => {
    expect(nextTimeOfDay(at(now), '09:00', 'Europe/Berlin').toISOString()).toBe(expected);
  });

  it('is on one of the weekdays', () => {
    // 3 July 2026 is a Friday.
    expect(nextTimeOfDay(at('2026-07-03T12:00:00Z'), '09:00', 'UTC', ['mon', 'tue']).toISOString()).toBe(
      '2026-07-06T09:00:00.000Z',
    );
    expect(nextTimeOfDay(at('2026-07-03T12:00:00Z'), '09:00', 'UTC', ['fri']).toISOString()).toBe(
      '2026-07-10T09:00:00.000Z',
    );
  });
});

describe('hours', () => {
  it.each([
    ['2026-07-01T18:59:00Z', undefined],
    ['2026-07-01T19:00:00Z', '2026-07-02T06:00:00.000Z'],
    ['2026-07-02T01:00:00Z', '2026-07-02T06:00:00.000Z'],
    ['2026-07-02T06:00:00Z', undefined],
  ])('of the night at %s end at %s', (now, end) => {
    expect(endOfHours(at(now), { from: '21:00', to: '08:00' }, 'Europe/Berlin')?.toISOString()).toBe(end);
  });

  it.each([
    ['2026-07-01T09:59:00Z', undefined],
    ['2026-07-01T10:00:00Z', '2026-07-01T12:00:00.000Z'],
  ])('of the day at %s end at %s', (now, end) => {
    expect(endOfHours(at(now), { from: '12:00', to: '14:00' }, 'Europe/Berlin')?.toISOString()).toBe(end);
  });
});

it('a day is that of a zone', () => {
  const now = at('2026-07-01T22:30:00Z');
  expect([dayIn('UTC', now), dayIn('Europe/Berlin', now)]).toEqual(['2026-07-01', '2026-07-02']);
  expect(nextDayIn('Europe/Berlin', now).toISOString()).toBe('2026-07-02T22:00:00.000Z');
  expect(nextDayIn('UTC', at('2026-07-01T00:00:00Z')).toISOString()).toBe('2026-07-02T00:00:00.000Z');
  expect(saidIn('Europe/Berlin', now)).toBe('2026-07-02 00:30 (Europe/Berlin)');
});
