import { expect, it } from '@jest/globals';
import { hourlyRule } from './pace-rule.js';

const now = new Date('2026-11-20T14:21:00Z');

it.each([
  [1_200, 100],
  [100, 8],
  [3, 1],
])('%d messages an hour are %d in five minutes', (perHour, cap) => {
  expect(hourlyRule('guard', perHour, now)).toMatchObject({ cap, nextAt: new Date('2026-11-20T14:25:00Z') });
});

it('none at all is none until something changes', () => {
  expect(hourlyRule('guard', 0, now)).toMatchObject({ cap: 0, nextAt: null });
});
