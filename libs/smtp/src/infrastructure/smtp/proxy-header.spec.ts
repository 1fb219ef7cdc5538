import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { binaryProxyHeader, textProxyHeader } from '../../../../../test/support/builders/proxy-headers.js';
import { readProxyHeader } from './proxy-header.js';

const text = (line: string): ReturnType<typeof readProxyHeader> => readProxyHeader(Buffer.from(line, 'latin1'));

describe('a PROXY header in text', () => {
  it.each([
    ['PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\nEHLO', 44, { address: '192.0.2.1', port: 56324 }],
    ['PROXY TCP6 2001:db8::1 2001:db8::2 1 65535\r\n', 44, { address: '2001:db8::1', port: 1 }],
    ['PROXY UNKNOWN\r\n', 15, undefined],
    ['PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n', 35, undefined],
  ])('%j names the client', (line, length, client) => {
    expect(text(line)).toEqual({ kind: 'header', length, client });
  });

  it.each([
    'EHLO client.test\r\n',
    'PROXY\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.1 56324\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.1 56324 65536\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.1 056324 25\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.1 56324 25 x\r\n',
    'PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n',
    'PROXY TCP4 192.0.2.256 198.51.100.1 1 2\r\n',
    'PROXY UDP4 192.0.2.1 198.51.100.1 1 2\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.1 1 2\n\r\r\n',
    `PROXY UNKNOWN ${'x'.repeat(200)}`,
  ])('%j is refused', (line) => {
    expect(text(line)).toEqual({ kind: 'invalid' });
  });
});

describe('a binary PROXY header', () => {
  it.each(['192.0.2.1', '2001:db8:0:0:0:0:0:1'])('names %s', (address) => {
    const header = binaryProxyHeader(address, 56324, Buffer.from('a type, a length and a value'));
    const read = readProxyHeader(Buffer.concat([header, Buffer.from('EHLO')]));
    expect(read).toEqual({ kind: 'header', length: header.length, client: { address, port: 56324 } });
  });

  it('names the IPv4 address that stands in an IPv6 one', () => {
    const read = readProxyHeader(binaryProxyHeader('0:0:0:0:0:ffff:c000:201', 1));
    expect(read).toMatchObject({ client: { address: '192.0.2.1' } });
  });

  it('of a health check names no client', () => {
    const header = binaryProxyHeader('192.0.2.1', 1);
    header[12] = 0x20;
    expect(readProxyHeader(header)).toEqual({ kind: 'header', length: header.length, client: undefined });
  });

  it.each<[string, (header: Buffer) => void]>([
    ['of another version', (header) => header.writeUInt8(0x11, 12)],
    ['with an unknown command', (header) => header.writeUInt8(0x22, 12)],
    ['without end', (header) => header.writeUInt16BE(65_535, 14)],
    ['shorter than its addresses', (header) => header.writeUInt16BE(4, 14)],
  ])('%s is refused', (_, spoil) => {
    const header = binaryProxyHeader('192.0.2.1', 1);
    spoil(header);
    expect(readProxyHeader(header)).toEqual({ kind: 'invalid' });
  });
});

it('an incomplete PROXY header is waited for', () => {
  for (const header of [textProxyHeader('192.0.2.1', 25), binaryProxyHeader('2001:db8:0:0:0:0:0:1', 25)]) {
    for (let length = 0; length < header.length; length++) {
      expect(readProxyHeader(header.subarray(0, length))).toEqual({ kind: 'incomplete' });
    }
  }
});

it('any bytes are read as a header or refused', () => {
  const signature = binaryProxyHeader('192.0.2.1', 1).subarray(0, 12);
  const noise = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(noise, fc.constantFrom(Buffer.alloc(0), signature, Buffer.from('PROXY TCP4 ')), (bytes, beginning) => {
      const given = Buffer.concat([beginning, bytes]);
      const read = readProxyHeader(given);
      if (read.kind === 'header') expect(read.length).toBeLessThanOrEqual(given.length);
    }),
  );
});
