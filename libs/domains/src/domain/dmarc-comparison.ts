import { parseTags } from './dkim-comparison.js';
import { Mistake } from './mistake.js';
import { Finding } from './record-check.js';

const policies = new Set(['none', 'quarantine', 'reject']);

/**
 * Checks the DMARC records of a name for mail that this service sends (RFC 7489 section 6.3). Accepts any valid policy.
 */
export function compareDmarc(texts: readonly string[]): Finding {
  const candidates = texts.filter((text) => /dmarc/i.test(text));
  if (candidates.length === 0) return { kind: 'missing', mistake: 'missing', found: [] };
  const wrong = (mistake: Mistake): Finding => ({ kind: 'wrong', mistake, found: candidates });
  const [record] = candidates as [string];
  if (candidates.length > 1) return wrong('several_records');
  if (record.includes('"')) return wrong('quotes_kept');
  if (record.includes('\\')) return wrong('backslashes_kept');
  if (/^_dmarc\b/i.test(record)) return wrong('name_in_value');
  const tags = parseTags(record);
  if (tags === undefined || [...tags.keys()][0] !== 'v' || tags.get('v') !== 'DMARC1') return wrong('invalid_syntax');
  return mistakeInTags(tags, wrong);
}

function mistakeInTags(tags: ReadonlyMap<string, string>, wrong: (mistake: Mistake) => Finding): Finding {
  if (!policies.has((tags.get('p') ?? '').toLowerCase())) return wrong('dmarc_invalid_policy');
  const reports = [tags.get('rua'), tags.get('ruf')].filter((value) => value !== undefined);
  if (reports.some((list) => list.split(',').some((uri) => !isMailUri(uri.trim())))) {
    return wrong('dmarc_invalid_report_address');
  }
  // The return path is a subdomain, so with strict alignment SPF never passes for the domain (section 3.1.2).
  if ((tags.get('aspf') ?? 'r').toLowerCase() === 's') return wrong('dmarc_misaligned');
  return { kind: 'right' };
}

function isMailUri(uri: string): boolean {
  const address = /^mailto:(\S+)$/i.exec(uri)?.[1] ?? '';
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1;
}
