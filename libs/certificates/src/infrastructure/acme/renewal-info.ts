import { X509Certificate } from 'node:crypto';
import { RenewalWindow } from '../../domain/host-certificate.js';

/** The object identifier of the extension AuthorityKeyIdentifier (RFC 5280 section 4.2.1.1), in DER. */
const authorityKeyIdentifier = Buffer.from('0603551d23', 'hex');
const octetString = 0x04;
const sequence = 0x30;
const keyIdentifier = 0x80;

/** What the authority calls a certificate (RFC 9773 section 4.1); undefined if it does not name the key of its authority. */
export function certificateId(chain: string): string | undefined {
  const { raw, serialNumber } = new X509Certificate(chain);
  const at = raw.indexOf(authorityKeyIdentifier);
  if (at === -1) return undefined;
  // An octet string, with a sequence in it that begins with the identifier. All are shorter than 128 bytes.
  const [string, , list, , key, length = 0] = raw.subarray(at + authorityKeyIdentifier.length);
  if (string !== octetString || list !== sequence || key !== keyIdentifier || length > 0x7f) return undefined;
  const start = at + authorityKeyIdentifier.length + 6;
  // A positive number in DER: Node.js leaves out the leading zero that keeps it positive.
  const digits = serialNumber.length % 2 === 0 ? serialNumber : `0${serialNumber}`;
  const serial = Buffer.from(/^[89a-f]/i.test(digits) ? `00${digits}` : digits, 'hex');
  return `${raw.subarray(start, start + length).toString('base64url')}.${serial.toString('base64url')}`;
}

/** Undefined if the response has no window that can be read. */
export function windowIn(response: unknown): RenewalWindow | undefined {
  const { suggestedWindow } = (response ?? {}) as { suggestedWindow?: { start?: unknown; end?: unknown } };
  const start = new Date(String(suggestedWindow?.start));
  const end = new Date(String(suggestedWindow?.end));
  return start.getTime() < end.getTime() ? { start, end } : undefined;
}
