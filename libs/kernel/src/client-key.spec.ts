import { expect, it } from '@jest/globals';
import { ClientBudget, clientKey, clientNetwork } from './client-key.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.2', '192.0.2.2'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s is the client %s', (address, client) => {
  expect(clientKey(address)).toBe(client);
});

it.each([
  ['192.0.2.1', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:DB8::6', '2001:db8:0::/48'],
])('%s is in the network %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

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
