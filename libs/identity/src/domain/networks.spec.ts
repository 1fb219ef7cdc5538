import { describe, expect, it } from '@jest/globals';
import { Networks, parseNetwork } from './networks.js';

describe('a network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.99/24', '192.0.2.1', true],
    ['192.0.2.0/24', '192.0.3.1', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:DB8:0:0:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::/0', '2001:db8::1', true],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::ffff:192.0.2.0/120', '192.0.2.9', true],
    ['192.0.2.0/24', '::ffff:192.0.2.9', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['192.0.2.0/24', 'unknown', false],
    ['192.0.2.0/24', '', false],
  ])('%s contains %s: %s', (network, address, expected) => {
    expect(new Networks([network]).contain(address)).toBe(expected);
  });

  it.each([
    ...['', 'office', '192.0.2', '192.0.2.256', '192.0.02.1', '192.0.2.1/33', '192.0.2.1/', '1.2.3.4/-1', '3232235777'],
    ...['2001:db8::/129', ':::', '1:2:3:4:5:6:7:8:9', 'g::1', '[::1]', '::1/1000', ':'.repeat(10_000), '1.2.3.4 /8'],
  ])('%j is none', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});
