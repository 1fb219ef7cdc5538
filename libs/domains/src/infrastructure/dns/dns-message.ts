import { decode } from 'dns-packet';
import type { DecodedPacket } from 'dns-packet';

/** Of all sections together. A pointer leads each name through others (RFC 1035 section 4.1.4), so records cost more than bytes. */
const maxRecords = 500;
const maxMessageBytes = 65_535;

/** A message of a name server; undefined where it is none, or larger than any answer needs to be. */
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
