import { Mistake } from './mistake.js';
import { Finding } from './record-check.js';
import { parseTags } from './record-tags.js';

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

/** Looks for the second host among the MX records of a name. Which one gets mail first is the concern of the first host's record. */
export function compareStandIn(
  records: readonly { readonly exchange: string; readonly preference: number }[],
  target: string,
): Finding {
  return records.some(({ exchange }) => exchange === target)
    ? { kind: 'right' }
    : { kind: 'missing', mistake: 'missing', found: [] };
}

/** Compares the alias target of a name with the expected one. */
export function compareAlias(targets: readonly string[], expected: string): Finding {
  const [target] = targets;
  if (target === undefined) return { kind: 'missing', mistake: 'missing', found: [] };
  if (target === expected) return { kind: 'right' };
  const isAppended = target.startsWith(`${expected}.`);
  return { kind: 'wrong', mistake: isAppended ? 'target_has_zone_appended' : 'wrong_target', found: targets };
}

/** A TXT record of tags, such as `v=DMARC1; p=none`. */
interface TagRecord {
  /** Tells it from the other TXT records of its name. */
  readonly mentions: RegExp;
  /** Begins a value into which the name was copied. */
  readonly namePrefix: RegExp;
  /** The value of `v`, its first tag. */
  readonly version: string;
}

/** Finds the one record of its kind among the texts, and the mistakes that any such record may have. */
function compareTags(
  texts: readonly string[],
  { mentions, namePrefix, version }: TagRecord,
  mistakeIn: (tags: ReadonlyMap<string, string>) => Mistake | undefined,
): Finding {
  const candidates = texts.filter((text) => mentions.test(text));
  if (candidates.length === 0) return { kind: 'missing', mistake: 'missing', found: [] };
  const wrong = (mistake: Mistake): Finding => ({ kind: 'wrong', mistake, found: candidates });
  const [record] = candidates as [string];
  if (candidates.length > 1) return wrong('several_records');
  if (record.includes('"')) return wrong('quotes_kept');
  if (record.includes('\\')) return wrong('backslashes_kept');
  if (namePrefix.test(record)) return wrong('name_in_value');
  const tags = parseTags(record);
  if (tags === undefined || [...tags.keys()][0] !== 'v' || tags.get('v') !== version) return wrong('invalid_syntax');
  const mistake = mistakeIn(tags);
  return mistake === undefined ? { kind: 'right' } : wrong(mistake);
}

const dmarcRecord: TagRecord = { mentions: /dmarc/i, namePrefix: /^_dmarc\b/i, version: 'DMARC1' };
const tlsReportingRecord: TagRecord = { mentions: /tlsrpt/i, namePrefix: /^_smtp\b/i, version: 'TLSRPTv1' };

/**
 * Checks the DMARC records of a name for mail that this service sends (RFC 7489 section 6.3). Accepts any valid policy.
 */
export function compareDmarc(texts: readonly string[]): Finding {
  return compareTags(texts, dmarcRecord, (tags) => {
    if (!policies.has((tags.get('p') ?? '').toLowerCase())) return 'dmarc_invalid_policy';
    const reports = [tags.get('rua'), tags.get('ruf')].filter((value) => value !== undefined);
    if (reports.some((list) => list.split(',').some((uri) => !isMailUri(uri.trim())))) {
      return 'dmarc_invalid_report_address';
    }
    // The return path is a subdomain, so with strict alignment SPF never passes for the domain (section 3.1.2).
    return (tags.get('aspf') ?? 'r').toLowerCase() === 's' ? 'dmarc_misaligned' : undefined;
  });
}

function isMailUri(uri: string): boolean {
  const address = /^mailto:(\S+)$/i.exec(uri)?.[1] ?? '';
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1;
}

/** Checks the record of a name that asks for TLS reports (RFC 8460 section 3). Accepts any address to report to. */
export function compareTlsReporting(texts: readonly string[]): Finding {
  return compareTags(texts, tlsReportingRecord, (tags) => {
    const addresses = (tags.get('rua') ?? '').split(',');
    const areUris = addresses.every((uri) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/i.test(uri.trim()));
    return areUris ? undefined : 'tls_reporting_invalid_address';
  });
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
