import { expect, it } from '@jest/globals';
import { existingMoment } from './existing-moment.js';

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
