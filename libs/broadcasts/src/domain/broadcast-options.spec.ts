import { expect, it } from '@jest/globals';
import { parseOptions, shownOptions } from './broadcast-options.js';

const share = { percent: 5, wait_minutes: 60, max_bounce_percent: 2.5, max_complaint_percent: 0 };
const test = { subjects: ['B', 'C'], share_percent: 20, wait_minutes: 90, winner: 'clicks' };

it('options are shown as they were given', () => {
  for (const options of [
    { throttle_per_hour: 1_000, first_share: share },
    { first_share: { ...share, percent: undefined, contacts: 500 } },
    { local_time: { property: 'zone', time_zone: 'Europe/Berlin' } },
    { subject_test: test },
  ]) {
    expect(shownOptions(parseOptions(options))).toEqual(JSON.parse(JSON.stringify(options)));
  }
  expect(shownOptions(parseOptions({ throttle_per_hour: null }))).toBeNull();
  expect(shownOptions(parseOptions({ first_share: { percent: 1 } }))).toEqual({
    first_share: { percent: 1, wait_minutes: null, max_bounce_percent: 5, max_complaint_percent: 0.3 },
  });
});

it.each([
  [{ other: 1 }, 'The `options` may have'],
  [{ throttle_per_hour: 0 }, '`throttle_per_hour` must be a whole number'],
  [{ throttle_per_hour: '5' }, '`throttle_per_hour` must be a whole number'],
  [{ first_share: [] }, '`first_share` must be an object'],
  [{ first_share: {} }, 'either `percent` or `contacts`'],
  [{ first_share: { percent: 1, contacts: 1 } }, 'either `percent` or `contacts`'],
  [{ first_share: { percent: 100 } }, '`first_share.percent`'],
  [{ first_share: { ...share, max_bounce_percent: 101 } }, '`first_share.max_bounce_percent`'],
  [{ local_time: { time_zone: 'UTC' } }, '`local_time.property`'],
  [{ local_time: { property: 'zone', time_zone: 'Nowhere' } }, '`local_time.time_zone`'],
  [{ local_time: { property: 'zone', time_zone: '+01:00' } }, '`local_time.time_zone`'],
  [{ subject_test: { ...test, subjects: [] } }, '`subject_test.subjects`'],
  [{ subject_test: { ...test, subjects: ['a\nb'] } }, '`subject_test.subjects`'],
  [{ subject_test: { ...test, subjects: ['a', 'b', 'c', 'd', 'e'] } }, '`subject_test.subjects`'],
  [{ subject_test: { ...test, winner: 'luck' } }, '`subject_test.winner`'],
  [{ subject_test: { ...test, wait_minutes: 1.5 } }, '`subject_test.wait_minutes`'],
  [{ subject_test: test, first_share: share }, 'Only one of'],
])('%j is refused', (options, message) => {
  expect(() => parseOptions(options)).toThrow(message);
});
