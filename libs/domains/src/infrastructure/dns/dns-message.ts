import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { decode } from 'dns-packet';
import type { DecodedPacket } from 'dns-packet';

/**
 * Limit of records in all sections together. A name may be compressed into a chain of pointers (RFC 1035 section
 * 4.1.4). Decoding many records then takes longer than their size suggests.
 */
const maxRecords = 500;
const maxMessageBytes = 65_535;

const maxNameLength = 253;
const maxLabelLength = 63;

/** Decodes a message of a name server. Returns undefined if it is malformed or has more records than any answer needs. */
export function readDnsMessage(bytes: Buffer): DecodedPacket | undefined {
  if (bytes.length < 12 || bytes.length > maxMessageBytes) return undefined;
  const records = [4, 6, 8, 10].reduce((sum, at) => sum + bytes.readUInt16BE(at), 0);
  if (records > maxRecords) return undefined;
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
}

/** The name in the form in which it is asked for; undefined for a name that no zone can hold. */
export function questionName(name: string): string | undefined {
  const ascii = (/[^\x00-\x7f]/.test(name) ? domainToASCII(name) : name).replace(/\.$/, '').toLowerCase();
  if (ascii === '' || ascii.length > maxNameLength) return undefined;
  const labels = ascii.split('.');
  return labels.every((label) => label !== '' && label.length <= maxLabelLength) ? ascii : undefined;
}

/** The name at which the PTR record of an address is published (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName(address: string): string | undefined {
  if (isIPv4(address)) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  if (!isIPv6(address)) return undefined;
  // The URL parser writes every form of an address in the same way, with an embedded IPv4 address as two groups.
  const canonical = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const digits = [...groups(head), ...zeros, ...groups(tail)].map((group) => group.padStart(4, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}
