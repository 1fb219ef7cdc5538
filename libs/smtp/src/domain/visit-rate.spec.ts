import { expect, it } from '@jest/globals';
import { VisitRate } from './client-rates.js';

it('limits the messages of each client per minute', () => {
  const rate = new VisitRate(600);
  const taken = Array.from({ length: 601 }, () => rate.take('192.0.2.1', 1_000));
  expect(taken.indexOf(false)).toBe(600);
  expect(rate.take('192.0.2.2', 1_000)).toBe(true);
  expect(rate.take('192.0.2.1', 61_000)).toBe(true);
});

it('remembers a bounded number of clients', () => {
  const rate = new VisitRate(600);
  for (let client = 0; client < 20_000; client++) rate.take(`client ${client}`, 1_000);
  expect((rate as unknown as { windows: Map<string, unknown> }).windows.size).toBe(10_000);
});
