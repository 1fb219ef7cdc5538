import { expect, it } from '@jest/globals';
import { nearestName } from './nearest-name.js';

it.each([
  ['pln', 'plan'],
  ['Plan', 'plan'],
  ['palns', 'plans'],
  ['country', undefined],
  ['', undefined],
  ['x'.repeat(1_000), undefined],
])('%s stands for %s', (given, meant) => {
  expect(nearestName(given, ['email', 'plans', 'plan', 'first_name'])).toBe(meant);
});
