import { expect, it } from '@jest/globals';
import { wilsonInterval } from './wilson.js';

it.each([
  [3, 10, 0.108, 0.603],
  [50, 1_000, 0.038, 0.065],
  [0, 500, 0, 0.0076],
  [500, 500, 0.9924, 1],
  [0, 0, 0, 1],
  [7, 5, 0.566, 1],
])('%d of %d is a share between %d and %d', (count, of, lower, upper) => {
  const interval = wilsonInterval(count, of);
  expect(interval.lower).toBeCloseTo(lower, 2);
  expect(interval.upper).toBeCloseTo(upper, 2);
});
