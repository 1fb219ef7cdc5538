import { expect, it } from '@jest/globals';
import { isIpAddress, namedUrl } from './page-address.js';

it.each([
  ['127.0.0.1', true],
  ['[::1]', true],
  ['192.168.1.20', true],
  ['localhost', false],
  ['mail.acme.test', false],
  ['1.2.3.4.acme.test', false],
])('%s is an IP address: %s', (hostname, isAddress) => {
  expect(isIpAddress(hostname)).toBe(isAddress);
});

it('a page of this machine is found at localhost, and another one only by a name that is not known here', () => {
  const href = (host: string): string => `http://${host}:3000/app/settings`;
  expect(namedUrl({ hostname: '127.0.0.1', href: href('127.0.0.1') })).toBe(href('localhost'));
  expect(namedUrl({ hostname: '[::1]', href: href('[::1]') })).toBe(href('localhost'));
  expect(namedUrl({ hostname: '192.168.1.20', href: href('192.168.1.20') })).toBeUndefined();
});
