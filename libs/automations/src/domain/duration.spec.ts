import { expect, it } from '@jest/globals';
import { parseDuration } from './duration.js';

it.each([
  ['30 minutes', 1_800_000],
  ['1 hour', 3_600_000],
  ['2 days', 172_800_000],
  ['1 week', 604_800_000],
  ['1h 30m', 5_400_000],
  ['1 Hour, 5 seconds', 3_605_000],
  ['30 days', 2_592_000_000],
])('reads %s', (text, ms) => {
  expect(parseDuration('The `duration`', text)).toBe(ms);
});

it.each(['', '5', 'days', '-1 day', '0 minutes', '1 fortnight', '1 day and 2 hours', `${' '.repeat(70)}1 day`])(
  'refuses %p',
  (text) => {
    expect(() => parseDuration('The `duration`', text)).toThrow('must be a duration such as');
  },
);

it('refuses more than 30 days', () => {
  expect(() => parseDuration('The `timeout`', '30 days 1 second')).toThrow('The `timeout` may be at most 30 days.');
});
