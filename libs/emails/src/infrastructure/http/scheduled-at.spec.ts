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
  ])('in ISO 8601, %s', (text, moment) => expect(at(text)).toBe(moment));

  it.each([
    ['in 1 min', '2026-11-21T12:01:00.000Z'],
    ['in 1 minute', '2026-11-21T12:01:00.000Z'],
    ['in an hour', '2026-11-21T13:00:00.000Z'],
    ['in 90 seconds', '2026-11-21T12:01:30.000Z'],
    ['in 2 days', '2026-11-23T12:00:00.000Z'],
    ['In 1 Hour', '2026-11-21T13:00:00.000Z'],
    ['tomorrow at 9am', '2026-11-22T09:00:00.000Z'],
    ['tomorrow at 9:30pm', '2026-11-22T21:30:00.000Z'],
    ['Friday at 3pm ET', '2026-11-27T20:00:00.000Z'],
    ['Friday at 3pm PST', '2026-11-27T23:00:00.000Z'],
    ['next Monday at 10am', '2026-11-23T10:00:00.000Z'],
    ['today at 6pm', '2026-11-21T18:00:00.000Z'],
    ['at 11am', '2026-11-22T11:00:00.000Z'],
    ['December 1, 2026 at 5pm UTC', '2026-12-01T17:00:00.000Z'],
  ])('in English, %s', (text, moment) => expect(at(text)).toBe(moment));

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
    const words = fc.constantFrom('in', 'at', 'tomorrow', 'friday', '3pm', 'ET', '1', '99999', 'min', '-', ':', '00');
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
