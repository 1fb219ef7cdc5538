import { expect, it } from '@jest/globals';
import { ClientBudget } from './client-budget.js';

it('each client may make 1,000 requests in each second', () => {
  const budget = new ClientBudget(1_000);
  const taken = (address: string, nowMs: number): number =>
    Array.from({ length: 1_100 }, () => budget.take(address, nowMs)).filter(Boolean).length;

  expect(taken('192.0.2.1', 5)).toBe(1_000);
  expect(taken('192.0.2.2', 5)).toBe(1_000);
  expect(taken('192.0.2.1', 1_000)).toBe(1_000);
});

it('all addresses of one IPv6 network count as one client', () => {
  const budget = new ClientBudget(1_000);
  const allowed = Array.from({ length: 1_100 }, (_, n) => budget.take(`2001:db8::${n.toString(16)}`, 0));
  expect(allowed.filter(Boolean)).toHaveLength(1_000);
});
