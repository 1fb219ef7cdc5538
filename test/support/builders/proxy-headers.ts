import { isIPv4 } from 'node:net';

/** The header of the PROXY protocol, version 1. */
export function textProxyHeader(address: string, port: number): Buffer {
  const [protocol, destination] = isIPv4(address) ? ['TCP4', '127.0.0.1'] : ['TCP6', '::1'];
  return Buffer.from(`PROXY ${protocol} ${address} ${destination} ${port} 25\r\n`);
}

/** Version 2 of the header, with the full address and optional further fields of a proxy. */
export function binaryProxyHeader(address: string, port: number, extra: Buffer = Buffer.alloc(0)): Buffer {
  const raw = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      );
  const ports = Buffer.alloc(4);
  ports.writeUInt16BE(port);
  ports.writeUInt16BE(25, 2);
  const body = Buffer.concat([raw, Buffer.alloc(raw.length), ports, extra]);
  const fixed = Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x00\x00\x00', 'latin1');
  fixed.writeUInt8(isIPv4(address) ? 0x11 : 0x21, 13);
  fixed.writeUInt16BE(body.length, 14);
  return Buffer.concat([fixed, body]);
}
