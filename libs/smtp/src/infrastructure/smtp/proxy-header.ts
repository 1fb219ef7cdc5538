import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Socket } from 'node:net';
import { plainAddress } from '#kernel';

/** The client named by a proxy; undefined if the proxy connects for itself, as in health checks. */
export interface ProxiedClient {
  readonly address: string;
  readonly port: number;
}

export type ProxyHeader =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'header'; readonly length: number; readonly client: ProxiedClient | undefined };

/** "PROXY UNKNOWN" with two addresses of 39 characters and their ports, including CRLF (section 2.1). */
const maxTextBytes = 107;
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const fixedBytes = 16;
/** After the addresses a proxy may add properties of TLS and of itself. No proxy adds this much. */
const maxBinaryBytes = 4_096;

const incomplete: ProxyHeader = { kind: 'incomplete' };
const invalid: ProxyHeader = { kind: 'invalid' };

/**
 * Reads the PROXY header at the beginning of a connection, in text (version 1) or binary (version 2), from the bytes
 * received so far. Source: haproxy.org/download/3.0/doc/proxy-protocol.txt.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  const begins = bytes.subarray(0, signature.length);
  if (begins.equals(signature.subarray(0, begins.length))) {
    return bytes.length < fixedBytes ? incomplete : readBinary(bytes);
  }
  return readText(bytes);
}

function readText(bytes: Buffer): ProxyHeader {
  const line = bytes.subarray(0, maxTextBytes).toString('latin1');
  const beginning = 'PROXY ';
  if (!line.startsWith(beginning.slice(0, line.length))) return invalid;
  const end = line.indexOf('\r\n');
  if (end < 0) return bytes.length < maxTextBytes ? incomplete : invalid;
  const length = end + 2;
  const [, protocol, source = '', destination = '', sourcePort = '', destinationPort = '', ...more] = line
    .slice(0, end)
    .split(' ');
  if (protocol === 'UNKNOWN') return { kind: 'header', length, client: undefined };
  const isAddress = protocol === 'TCP4' ? isIPv4 : protocol === 'TCP6' ? isIPv6 : () => false;
  const port = portOf(sourcePort);
  const isValid = isAddress(source) && isAddress(destination) && portOf(destinationPort) !== undefined;
  if (!isValid || port === undefined || more.length > 0) return invalid;
  return { kind: 'header', length, client: { address: source, port } };
}

function portOf(text: string): number | undefined {
  const isPort = /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
  return isPort ? Number(text) : undefined;
}

function readBinary(bytes: Buffer): ProxyHeader {
  const [version, command] = [bytes.readUInt8(12) >> 4, bytes.readUInt8(12) & 0xf];
  const [family, protocol] = [bytes.readUInt8(13) >> 4, bytes.readUInt8(13) & 0xf];
  const length = fixedBytes + bytes.readUInt16BE(14);
  if (version !== 2 || command > 1 || length > maxBinaryBytes) return invalid;
  if (bytes.length < length) return incomplete;
  const isLocal = command === 0;
  const isStream = protocol === 1 && (family === 1 || family === 2);
  if (isLocal || !isStream) return { kind: 'header', length, client: undefined };
  const client = binaryClient(bytes.subarray(fixedBytes, length), family === 1 ? 4 : 16);
  return client === undefined ? invalid : { kind: 'header', length, client };
}

/** Reads two addresses of `addressBytes` each, followed by two ports. */
function binaryClient(bytes: Buffer, addressBytes: 4 | 16): ProxiedClient | undefined {
  if (bytes.length < 2 * addressBytes + 4) return undefined;
  const address = addressOf(bytes.subarray(0, addressBytes));
  return { address, port: bytes.readUInt16BE(2 * addressBytes) };
}

/**
 * Prefix of an IPv4 address mapped into IPv6 (RFC 4291 section 2.5.5.2). It is read as IPv4, because proxies mix the
 * families.
 */
const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');

function addressOf(raw: Buffer): string {
  if (raw.length === 4) return raw.join('.');
  if (raw.subarray(0, 12).equals(mappedPrefix)) return raw.subarray(12).join('.');
  return Array.from({ length: 8 }, (_, group) => raw.readUInt16BE(2 * group).toString(16)).join(':');
}

/** A trusted proxy did not send a PROXY header: it is not configured to send one. */
export class NoProxyHeaderError extends Error {
  constructor(proxy: string) {
    super(`A connection of the trusted proxy ${proxy} does not begin with a PROXY header`);
    this.name = 'NoProxyHeaderError';
  }
}

/**
 * Reads the PROXY header at the beginning of the connection and leaves the bytes after it unread. Rejects if there is
 * none. The caller limits the time: closing the socket rejects as well.
 */
export function readProxiedClient(socket: Socket): Promise<ProxiedClient | undefined> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const stop = (): void => {
      socket.off('readable', read);
      socket.off('end', leave);
      socket.off('close', leave);
    };
    const leave = (): void => {
      stop();
      reject(new Error('The proxy has left before its header was read'));
    };
    const read = (): void => {
      for (let chunk = nextOf(socket); chunk !== null; chunk = nextOf(socket)) {
        bytes = Buffer.concat([bytes, chunk]);
        const header = readProxyHeader(bytes);
        if (header.kind === 'incomplete') continue;
        stop();
        if (header.kind === 'invalid') return reject(new NoProxyHeaderError(socket.remoteAddress ?? ''));
        const rest = bytes.subarray(header.length);
        if (rest.length > 0) socket.unshift(rest);
        return resolve(header.client);
      }
    };
    socket.on('readable', read);
    socket.once('end', leave);
    socket.once('close', leave);
  });
}

function nextOf(socket: Socket): Buffer | null {
  return socket.read() as Buffer | null;
}

/** Returns a function that tells whether an address is in these addresses and networks (`10.0.0.0/8`). */
export function trustedProxies(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const bare = plainAddress(address);
    return isIPv4(bare) ? list.check(bare) : isIPv6(bare) && list.check(bare, 'ipv6');
  };
}
