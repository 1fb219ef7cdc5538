import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainError } from '#kernel';
import { parseScheduledAt } from './scheduled-at.js';

// A Saturday.
const now = new Date('2026-11-21T12:00:00Z');

const at = (text: string): string => parseScheduledAt(text, now).toISOString();

describe('a scheduled time', () => {
  it.each([
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01T09:00:00.123456Z', '2026-12-01T09:00:00.123Z'],
    ['2026-12-01T09:00:00+02:00', '2026-12-01T07:00:00.000Z'],
    ['2026-12-01T09:00:00-0530', '2026-12-01T14:30:00.000Z'],
    ['2026-12-01T09:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01 09:00:00+00', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01 09:00:00.5 +01:00', '2026-12-01T08:00:00.500Z'],
    ['2026-12-01T09:00:00', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01 09:00', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01 09:00:00.5', '2026-12-01T09:00:00.500Z'],
  ])('in ISO 8601, %s', (text, moment) => expect(at(text)).toBe(moment));

  it.each([
    ['in 1 min', '2026-11-21T12:01:00.000Z'],
    ['in 1 minute', '2026-11-21T12:01:00.000Z'],
    ['in an hour', '2026-11-21T13:00:00.000Z'],
    ['in 90 seconds', '2026-11-21T12:01:30.000Z'],
    ['in 2 days', '2026-11-23T12:00:00.000Z'],
    ['in 1 month', '2026-12-21T12:00:00.000Z'],
    ['In 1 Hour', '2026-11-21T13:00:00.000Z'],
    ['tomorrow at 9am', '2026-11-22T09:00:00.000Z'],
    ['tomorrow at 9:30pm', '2026-11-22T21:30:00.000Z'],
    ['Friday at 3pm ET', '2026-11-27T20:00:00.000Z'],
    ['Friday at 3pm PST', '2026-11-27T23:00:00.000Z'],
    ['next Monday at 10am', '2026-11-23T10:00:00.000Z'],
    ['Monday at 10', '2026-11-23T10:00:00.000Z'],
    ['today at 6pm', '2026-11-21T18:00:00.000Z'],
    ['at 11am', '2026-11-22T11:00:00.000Z'],
    ['December 1, 2026 at 5pm UTC', '2026-12-01T17:00:00.000Z'],
    ['in 1 hour from now', '2026-11-21T13:00:00.000Z'],
    ['on the 5th of December at 5pm', '2026-12-05T17:00:00.000Z'],
    ['tomorrow, at 9am.', '2026-11-22T09:00:00.000Z'],
    ['Tue, 8 Dec 2026 14:30:00 +0100', '2026-12-08T13:30:00.000Z'],
    ['Tue Dec 08 2026 14:30:00 GMT+0530 (India Standard Time)', '2026-12-08T09:00:00.000Z'],
    ['Tue Dec 08 2026 14:30:00 GMT+0100 (Mitteleuropäische Normalzeit)', '2026-12-08T13:30:00.000Z'],
    ['25/12/2026 9:00', '2026-12-25T09:00:00.000Z'],
    ['12/12/2026 9:00', '2026-12-12T09:00:00.000Z'],
    ['2026/12/05 9:00', '2026-12-05T09:00:00.000Z'],
    ['tonight at 8', '2026-11-21T20:00:00.000Z'],
    ['midnight tomorrow', '2026-11-22T00:00:00.000Z'],
  ])('in English, %s', (text, moment) => expect(at(text)).toBe(moment));

  it.each([
    ['2026-12-08 14:30 Europe/Berlin', '2026-12-08T13:30:00.000Z'],
    ['2026-07-08 14:30 europe/berlin', '2026-07-08T12:30:00.000Z'],
    ['2026-12-08T14:30:00[Europe/Berlin]', '2026-12-08T13:30:00.000Z'],
    ['2026-12-08T14:30:00.5[!America/Argentina/ComodRivadavia]', '2026-12-08T17:30:00.500Z'],
    ['2026-12-08T14:30:00+01:00[Europe/Berlin]', '2026-12-08T13:30:00.000Z'],
    ['2026-12-08T14:30:00Z[Europe/Berlin]', '2026-12-08T14:30:00.000Z'],
    ['2026-12-08 14:30 +01:00 Europe/Berlin', '2026-12-08T13:30:00.000Z'],
    ['tomorrow at 9am Europe/Berlin time', '2026-11-22T08:00:00.000Z'],
    ['tomorrow at 9am Pacific', '2026-11-22T17:00:00.000Z'],
    ['9am Pacific tomorrow', '2026-11-22T17:00:00.000Z'],
    ['tomorrow at 9am, Mountain Time.', '2026-11-22T16:00:00.000Z'],
    ['tomorrow at 9am (Central Standard Time)', '2026-11-22T15:00:00.000Z'],
    ['July 5 2027 at 3pm Eastern', '2027-07-05T19:00:00.000Z'],
    ['3pm ET July 5 2027', '2027-07-05T19:00:00.000Z'],
    ['July 5 2027 at 3pm Eastern Standard Time', '2027-07-05T20:00:00.000Z'],
    ['July 5 2027 at 3pm Eastern Daylight Time', '2027-07-05T19:00:00.000Z'],
    ['July 5 2027 at 3pm CET', '2027-07-05T13:00:00.000Z'],
    ['July 5 2027 at 3pm Central European Summer Time', '2027-07-05T13:00:00.000Z'],
    ['tomorrow at 9am UTC', '2026-11-22T09:00:00.000Z'],
    ['tomorrow at 9am GMT', '2026-11-22T09:00:00.000Z'],
    ['tomorrow at 9am GMT +2', '2026-11-22T07:00:00.000Z'],
    ['tomorrow at 9am UK time', '2026-11-22T09:00:00.000Z'],
    ['tomorrow at 9am CET Europe/Berlin', '2026-11-22T08:00:00.000Z'],
    ['in 2 hours Pacific', '2026-11-21T14:00:00.000Z'],
  ])('in the zone that it names, %s', (text, moment) => expect(at(text)).toBe(moment));

  it('begins its days in the zone', () => {
    const lateThere = new Date('2026-11-22T03:00:00Z');
    expect(parseScheduledAt('tomorrow at 9am Pacific', lateThere).toISOString()).toBe('2026-11-22T17:00:00.000Z');
    expect(parseScheduledAt('at 6pm Pacific', lateThere).toISOString()).toBe('2026-11-23T02:00:00.000Z');
    expect(parseScheduledAt('today at 11am Asia/Tokyo', now).toISOString()).toBe('2026-11-21T02:00:00.000Z');
  });

  it.each([
    ['tomorrow at 9am PST', '2026-11-22T03:00:00Z', '2026-11-22T17:00:00.000Z'],
    ['today at 11pm UTC-5', '2026-11-22T03:00:00Z', '2026-11-22T04:00:00.000Z'],
    ['tomorrow at 9am JST', '2026-11-21T22:00:00Z', '2026-11-23T00:00:00.000Z'],
    ['Sunday at 9am +0900', '2026-11-22T02:00:00Z', '2026-11-29T00:00:00.000Z'],
  ])('begins its days at the offset or abbreviation, %s', (text, time, moment) =>
    expect(parseScheduledAt(text, new Date(time)).toISOString()).toBe(moment),
  );

  it('is behind the gap when clocks go forward, and the first of two when they go back', () => {
    expect(at('2027-03-28 02:30 Europe/Berlin')).toBe('2027-03-28T01:30:00.000Z');
    expect(at('2027-10-31 02:30 Europe/Berlin')).toBe('2027-10-31T00:30:00.000Z');
    expect(at('2027-10-31T02:30:00+01:00[Europe/Berlin]')).toBe('2027-10-31T01:30:00.000Z');
    expect(at('in 20 days at 9am America/New_York')).toBe('2026-12-11T14:00:00.000Z');
  });

  it.each([
    ['2026-12-08 25:00', '25:00'],
    ['2026-12-08 14:75', '14:75'],
    ['tomorrow at 13pm', '13pm'],
    ['tomorrow at 9am XYZ', 'XYZ'],
    ['2026-12-08 14:30 Middle/Earth', 'Middle/Earth'],
    ['2026-12-08T14:30:00[Middle/Earth]', 'Middle/Earth'],
    ['tomorrow at 9am local time', 'local time'],
    ['send it tomorrow', 'send it'],
    ['tomorrow 14h', '14h'],
    ['not tomorrow', 'not'],
    ['tomorrow between 9am and 10am', 'between 9am and 10am'],
    ['in .5 hours', 'in .'],
    ['in 1,5 hours', 'in 1,'],
  ])('is refused if a part of it is not understood: %s', (text, part) =>
    expect(() => at(text)).toThrow(new RegExp(`understood in part: .* is 20\\d\\d-.*Z, but not \`.*${part}`)),
  );

  it.each([
    ['9am - 10am tomorrow', 'it is a span of time'],
    ['Monday, 8 Dec 2026 14:30', 'another day of the week'],
    ['Dec 32', 'does not have this day'],
    ['tonight at midnight', 'before or after midnight'],
    ['tomorrow night at 2', 'before or after midnight'],
    ['2026-12-25T09:00:00+99:00', 'the offset is too large'],
    ['05/12/2026 09:00', 'may be the month'],
    ['5.12.2026, 09:00:00', 'may be the month'],
    ['5-12-26', 'may be the month'],
    ['12/5 9am', 'may be the month'],
    ['in 3 days at midnight', 'before or after midnight'],
    ['tomorrow evening at 12', 'before or after midnight'],
    ['tomorrow night at 1am', 'before or after midnight'],
  ])('is refused if it could mean something else: %s', (text, reason) =>
    expect(() => at(text)).toThrow(new RegExp(`field is not clear: .*${reason}`)),
  );

  it('is not moved to the next day or week if its words say which', () => {
    expect(at('last Friday')).toBe('2026-11-20T12:00:00.000Z');
    expect(at('this morning')).toBe('2026-11-21T06:00:00.000Z');
    expect(at('tomorrow night at 10')).toBe('2026-11-22T22:00:00.000Z');
    expect(at('tomorrow evening at 4:30pm')).toBe('2026-11-22T16:30:00.000Z');
    expect(at('at midnight')).toBe('2026-11-22T00:00:00.000Z');
    expect(at('Dec 2027')).toBe('2027-12-01T12:00:00.000Z');
  });

  it('is refused if its offset is not that of its zone, or its zones differ', () => {
    expect(() => at('2026-12-08T14:30:00+02:00[Europe/Berlin]')).toThrow('not that of Europe/Berlin');
    expect(() => at('2027-03-28T02:30:00+01:00[Europe/Berlin]')).toThrow('not that of Europe/Berlin');
    expect(() => at('tomorrow at 9am PST Europe/Berlin')).toThrow('not that of Europe/Berlin');
    expect(() => at('tomorrow at 9am Pacific Europe/Berlin')).toThrow('differ: America/Los_Angeles, Europe/Berlin');
  });

  it.each(['', 'soon', '2026-13-01T00:00:00Z', '2026-12-01T25:00:00Z', 'x'.repeat(200), '12'])('is not %j', (text) =>
    expect(() => at(text)).toThrow(DomainError),
  );

  it.each(['at 10 m'.padEnd(100, ' 10 m'), `at \n\n\n${'10 m\n\n\n'.repeat(14)}`])(
    'that is slow to parse is refused quickly: %j',
    (text) => {
      const started = performance.now();
      expect(() => at(text)).toThrow(DomainError);
      expect(performance.now() - started).toBeLessThan(2_000);
    },
  );

  it('is parsed or refused quickly, for any text', () => {
    const words = fc.constantFrom(
      'in',
      'at',
      'tomorrow',
      'friday',
      '3pm',
      'ET',
      'Pacific',
      'Europe/Rome',
      '[',
      '1',
      '99999',
      'min',
      '-',
      ':',
      '00',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 120 }),
          fc.array(words).map((list) => list.join(' ')),
        ),
        (text) => {
          const started = performance.now();
          try {
            expect(Number.isNaN(parseScheduledAt(text, now).getTime())).toBe(false);
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError);
          }
          expect(performance.now() - started).toBeLessThan(2_000);
        },
      ),
      { numRuns: 300 },
    );
  });
});
