import { expect, it } from '@jest/globals';
import { trustedProxies } from './proxy-header.js';

it.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['11.1.2.3', false],
  ['192.0.2.1', true],
  ['2001:db8::7', true],
  ['2001:db9::7', false],
  ['', false],
])('%j is trusted: %j', (address, isTrusted) => {
  expect(trustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])(address)).toBe(isTrusted);
});
