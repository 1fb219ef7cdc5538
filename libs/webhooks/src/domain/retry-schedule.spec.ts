import { expect, it } from '@jest/globals';
import { maxTries, nextTryAt } from './failures.js';

const now = new Date('2026-11-21T12:00:00Z');
const seconds = (tries: number, random: number): number =>
  ((nextTryAt(tries, now, random)?.getTime() ?? NaN) - now.getTime()) / 1_000;

it('the wait before a retry is that of the contract (section 22.2) or up to a tenth longer', () => {
  const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
  expect(maxTries).toBe(8);
  expect(waits.map((_, tries) => seconds(tries + 1, 0))).toEqual(waits);
  waits.forEach((wait, tries) => expect(seconds(tries + 1, 1)).toBeCloseTo(wait * 1.1, 2));
  expect(nextTryAt(8, now, 0)).toBeUndefined();
});
