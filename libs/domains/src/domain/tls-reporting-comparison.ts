import { parseTags } from './dkim-comparison.js';
import { Mistake } from './mistake.js';
import { Finding } from './record-check.js';

/** Checks the record of a name that asks for TLS reports (RFC 8460 section 3). Accepts any address to report to. */
export function compareTlsReporting(texts: readonly string[]): Finding {
  const candidates = texts.filter((text) => /tlsrpt/i.test(text));
  if (candidates.length === 0) return { kind: 'missing', mistake: 'missing', found: [] };
  const wrong = (mistake: Mistake): Finding => ({ kind: 'wrong', mistake, found: candidates });
  const [record] = candidates as [string];
  if (candidates.length > 1) return wrong('several_records');
  if (record.includes('"')) return wrong('quotes_kept');
  if (record.includes('\\')) return wrong('backslashes_kept');
  if (/^_smtp\b/i.test(record)) return wrong('name_in_value');
  const tags = parseTags(record);
  if (tags === undefined || [...tags.keys()][0] !== 'v' || tags.get('v') !== 'TLSRPTv1') return wrong('invalid_syntax');
  const addresses = (tags.get('rua') ?? '').split(',');
  return addresses.every((uri) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/i.test(uri.trim()))
    ? { kind: 'right' }
    : wrong('dmarc_invalid_report_address');
}
