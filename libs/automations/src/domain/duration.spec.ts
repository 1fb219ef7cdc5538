import { expect, it } from '@jest/globals';
import { parseDays, parseDuration } from './duration.js';

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

it.each([
  ['-3 days', -3],
  ['0 days', 0],
  ['+1 week', 7],
  ['1day', 1],
])('reads %s as whole days', (text, days) => {
  expect(parseDays('The `offset`', text, 30)).toBe(days);
});

it.each(['', '3', '3 hours', '--1 day', '1.5 days', '1 day ago', '99999 days'])('refuses %p as days', (text) => {
  expect(() => parseDays('The `offset`', text, 30)).toThrow('must be a number of days');
});

it('refuses more days than it may', () => {
  expect(() => parseDays('The `offset`', '-5 weeks', 30)).toThrow('The `offset` may be at most 30 days.');
});
