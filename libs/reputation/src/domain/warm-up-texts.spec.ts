import { expect, it } from '@jest/globals';
import { EndedDay, newRamp } from './warm-up.js';
import { lastDayText, warmUpText } from './warm-up-texts.js';

const schedule = [500];

it('says which limit is spent', () => {
  const ramp = { ...newRamp(0), hourSent: 50, daySent: 120 };
  expect(warmUpText('acme.test', 'google', ramp, schedule)).toBe(
    'The domain warms up: 50 messages of acme.test to Google went this hour, where the limit is 50, a part of the 500 of today.',
  );
  expect(warmUpText('acme.test', 'google', { ...ramp, daySent: 500 }, schedule)).toBe(
    'The domain warms up: 500 messages of acme.test to Google went today, where the limit of the day is 500.',
  );
});

const day: EndedDay = { limit: 500, sent: 480, bad: 31, decision: 'slowed' };

it.each([
  [null, ''],
  [{ ...day, decision: 'advanced' }, ''],
  [
    { ...day, sent: 12, decision: 'too_little_mail' },
    'The limit stays, because only 12 of 500 messages went on the last day.',
  ],
  [
    day,
    'The limit stays, because 31 of 480 messages of the last day (6.5%) were deferred or refused as spam, and at most 5% may be.',
  ],
] as const)('after %j the reason is %j', (...[lastDay, text]) => {
  expect(lastDayText(lastDay)).toBe(text);
});
