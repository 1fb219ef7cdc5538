import { expect, test } from '@jest/globals';
import { RateLimit } from './rate-limit.js';

let now: number;
const make = (perMinute: number): RateLimit => {
  now = 0;
  return new RateLimit(perMinute, () => now);
};
/** As many as may go right now. */
const burst = (rate: RateLimit): number => {
  let count = 0;
  while (rate.take() === 0) count++;
  return count;
};

test('a minute brings as many messages as it should, and a second no more than its part', () => {
  const rate = make(600);
  let sent = burst(rate);
  expect(sent).toBe(10);
  for (; now < 60_000; now += 50) sent += burst(rate);

  expect(sent).toBeGreaterThanOrEqual(600);
  expect(sent).toBeLessThanOrEqual(611);
});

test('who may not send yet is told when, and then may', () => {
  const rate = make(60);
  expect(rate.take()).toBe(0);
  const wait = rate.take();
  expect(wait).toBe(1_000);
  now += wait;
  expect(rate.take()).toBe(0);
});

test('a complaint halves the rate, others at the same moment do not; success brings it back to where it began', () => {
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

test('a site that goes on complaining is still given some', () => {
  const rate = make(1_200);
  for (let complaint = 0; complaint < 30; complaint++) {
    now += 2_000;
    rate.narrow();
  }
  expect(rate.perMinute).toBe(6);
});

test('another maximum holds at once, and what was learnt is not forgotten', () => {
  const rate = make(600);
  rate.setMaximum(1_200);
  expect(rate.perMinute).toBe(1_200);
  rate.narrow();
  rate.setMaximum(900);
  expect(rate.perMinute).toBe(600);
  rate.setMaximum(60);
  expect(rate.perMinute).toBe(60);
});

test('a share of it is a slower pace, and when it changes the next message is not waited for longer than a second', () => {
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
