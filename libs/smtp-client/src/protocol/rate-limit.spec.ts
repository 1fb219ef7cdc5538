import { expect, test } from '@jest/globals';
import { RateLimit } from './connection-limits.js';

let now: number;
const make = (perMinute: number): RateLimit => {
  now = 0;
  return new RateLimit(perMinute, () => now);
};
/** The number of messages that may be sent right now. */
const burst = (rate: RateLimit): number => {
  let count = 0;
  while (rate.take() === 0) count++;
  return count;
};

test('the rate is reached over a minute, and no second exceeds its part', () => {
  const rate = make(600);
  let sent = burst(rate);
  expect(sent).toBe(10);
  for (; now < 60_000; now += 50) sent += burst(rate);

  expect(sent).toBeGreaterThanOrEqual(600);
  expect(sent).toBeLessThanOrEqual(611);
});

test('a caller above the rate is told how long to wait', () => {
  const rate = make(60);
  expect(rate.take()).toBe(0);
  const wait = rate.take();
  expect(wait).toBe(1_000);
  now += wait;
  expect(rate.take()).toBe(0);
});

test('a refusal halves the rate once, and successful messages raise it to its initial value', () => {
  const rate = make(1_200);
  rate.narrow();
  rate.narrow();
  expect(rate.perMinute).toBe(600);
  now += 2_000;
  rate.narrow();
  expect(rate.perMinute).toBe(300);

  for (let message = 0; message < 50; message++) rate.succeeded();
  expect(rate.perMinute).toBe(375);
  for (let message = 0; message < 2_000; message++) rate.succeeded();
  expect(rate.perMinute).toBe(1_200);
});

test('repeated refusals leave a minimum rate', () => {
  const rate = make(1_200);
  for (let refusal = 0; refusal < 30; refusal++) {
    now += 2_000;
    rate.narrow();
  }
  expect(rate.perMinute).toBe(6);
});

test('a new maximum applies at once and keeps a narrowed rate', () => {
  const rate = make(600);
  rate.setMax(1_200);
  expect(rate.perMinute).toBe(1_200);
  rate.narrow();
  rate.setMax(900);
  expect(rate.perMinute).toBe(600);
  rate.setMax(60);
  expect(rate.perMinute).toBe(60);
});

test('a share lowers the rate, and after a change the next message waits at most one second', () => {
  const rate = make(600);
  rate.share = 0.1;
  let sent = burst(rate);
  expect(sent).toBe(1);
  for (; now < 60_000; now += 50) sent += burst(rate);
  expect(sent).toBeGreaterThanOrEqual(60);
  expect(sent).toBeLessThanOrEqual(61);

  rate.share = 0.001;
  burst(rate);
  expect(rate.take()).toBe(1_000);
  rate.share = 1;
  now += 1_000;
  expect(burst(rate)).toBe(10);
});
