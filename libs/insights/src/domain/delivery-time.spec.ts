import { expect, it } from '@jest/globals';
import { timeLimits, timeQuantile } from './delivery-time.js';

it('finds the time within which a part was delivered', () => {
  const counts = new Map([
    [0, 50],
    [3, 40],
    [6, 10],
  ]);
  expect(timeQuantile(counts, 0.5)).toBe(1);
  expect(timeQuantile(counts, 0.9)).toBe(10);
  expect(timeQuantile(counts, 0.95)).toBe(45);
  expect(timeQuantile(counts, 1)).toBe(60);
});

it('knows nothing without deliveries, and no more than the last limit', () => {
  expect(timeQuantile(new Map(), 0.5)).toBeUndefined();
  expect(timeQuantile(new Map([[timeLimits.length, 3]]), 0.95)).toBe(172_800);
});
