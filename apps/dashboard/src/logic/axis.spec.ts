import { expect, it } from '@jest/globals';
import { niceTicks, shortPercent } from './axis.js';

it.each([
  [6, [0, 2, 4, 6]],
  [17.17, [0, 5, 10, 15, 20]],
  [100, [0, 20, 40, 60, 80, 100]],
  [0.35, [0, 0.1, 0.2, 0.3, 0.4]],
  [5.75, [0, 2, 4, 6]],
  [1_234, [0, 500, 1_000, 1_500]],
  [0, [0, 1]],
  [Number.NaN, [0, 1]],
])('an axis to %d has ticks that are read at a glance', (highest, ticks) => {
  expect(niceTicks(highest)).toEqual(ticks);
});

it('counts have no ticks between whole numbers', () => {
  expect(niceTicks(2, { whole: true })).toEqual([0, 1, 2]);
  expect(niceTicks(1, { whole: true })).toEqual([0, 1]);
});

it('a percentage has no digits that say nothing', () => {
  expect(shortPercent(20, 'en')).toBe('20%');
  expect(shortPercent(17.171_717, 'de', 1)).toBe('17,2\u00a0%');
});
