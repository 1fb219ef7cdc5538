import { Finding } from './record-check.js';

/**
 * Compares the CAA records that apply to a host with the authority that should issue its certificate. Without CAA
 * records, or without an `issue` among them, every authority may issue (RFC 8659 section 4.2). The finding is then
 * `missing`, and the customer has nothing to do.
 */
export function compareCaa(
  records: readonly { readonly tag: string; readonly value: string }[],
  authority: string,
): Finding {
  const issuers = records.filter(({ tag }) => tag === 'issue').map(({ value }) => value);
  if (issuers.length === 0) return { kind: 'missing', mistake: 'missing', found: [] };
  if (issuers.some((value) => value.split(';', 1)[0]?.trim().toLowerCase() === authority)) return { kind: 'right' };
  return { kind: 'wrong', mistake: 'caa_not_authorized', found: issuers.map((value) => `0 issue "${value}"`) };
}
