import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '93.184.216.34',
    '172.32.0.1',
    '192.0.33.8',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2620:0:2d0:200::8',
    '2a00:1450::1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.88.99.1',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '100::1',
    '2001:20::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each([
    ['compatible', '::8.8.8.8'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped', '::ffff:7f00:1'],
    ['mapped', '::ffff:8.8.8.8'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['NAT64', '64:ff9b::8.8.8.8'],
    ['local NAT64', '64:ff9b:1::a9fe:a9fe'],
    ['NAT64 by prefix', '64:ff9b:2::808:808'],
    ['6to4', '2002:808:808::'],
    ['Teredo', '2001:0:808:808::1'],
  ])('%s: %s, which contains any IPv4 address, is not', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['fe80::1%eth0', '2606:4700::1111%eth0'])('%s, with a zone of this machine, is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['localhost', '', '8.8.8', '8.8.8.8:80', '[2606:4700::1111]'])('%p is not an address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});
