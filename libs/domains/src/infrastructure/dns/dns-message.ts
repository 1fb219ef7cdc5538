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
