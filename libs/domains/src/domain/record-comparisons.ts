import { parseTags } from './dkim-comparison.js';
import { Mistake } from './mistake.js';
import { Finding } from './record-check.js';

const policies = new Set(['none', 'quarantine', 'reject']);

/**
 * Compares the MX records of a name with the one host that should receive its mail. Names are lower-case, without
 * trailing dots.
 */
export function compareMx(
  records: readonly { readonly exchange: string; readonly preference: number }[],
  target: string,
): Finding {
  if (records.length === 0) return { kind: 'missing', mistake: 'missing', found: [] };
  const found = records.map(({ exchange, preference }) => `${preference} ${exchange === '' ? '.' : exchange}`);
  const wrong = (mistake: Mistake): Finding => ({ kind: 'wrong', mistake, found });
  const ours = records.filter(({ exchange }) => exchange === target).map(({ preference }) => preference);
  const others = records.filter(({ exchange }) => exchange !== target);
  if (ours.length > 0) {
    const best = Math.min(...ours);
    return others.some(({ preference }) => preference <= best) ? wrong('mx_other_preferred') : { kind: 'right' };
  }
  if (others.some(({ exchange }) => exchange.startsWith(`${target}.`))) return wrong('target_has_zone_appended');
  if (others.every(({ exchange }) => exchange === '' || exchange === '.')) return wrong('mx_null');
  if (others.some(({ exchange }) => /^(?:\d{1,3}\.){3}\d{1,3}$|^[0-9a-f]*:[0-9a-f:.]+$/i.test(exchange))) {
    return wrong('mx_is_address');
  }
  return wrong('wrong_target');
}

/** Compares the alias target of a name with the expected one. */
export function compareAlias(targets: readonly string[], expected: string): Finding {
  const [target] = targets;
  if (target === undefined) return { kind: 'missing', mistake: 'missing', found: [] };
  if (target === expected) return { kind: 'right' };
  const isAppended = target.startsWith(`${expected}.`);
  return { kind: 'wrong', mistake: isAppended ? 'target_has_zone_appended' : 'wrong_target', found: targets };
}

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
