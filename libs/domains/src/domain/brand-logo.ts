import { parseTags } from './record-tags.js';

/** What the DNS said about the logo that mailboxes may show beside mail of a domain (BIMI). */
export interface BrandLogo {
  /** Receivers are asked to quarantine or reject all mail that fails DMARC. Without that no mailbox shows a logo. */
  readonly isDmarcEnforced: boolean;
  /** Where the record is; null if there is none. */
  readonly host: string | null;
  /** What makes the record useless; null if nothing does. */
  readonly mistake: string | null;
  /** A valid record that says that there is no logo. */
  readonly isDeclined: boolean;
}

/** The records of a domain, or of its zone where the domain has none. */
export interface LogoRecords {
  readonly dmarc: readonly string[];
  /** The DMARC record is that of the zone, and the domain is a subdomain of it. */
  readonly isInherited: boolean;
  readonly bimi: readonly string[];
  readonly bimiHost: string;
}

export const isBimi = (text: string): boolean => /^\s*"?v\s*=\s*BIMI/i.test(text);
export const isDmarc = (text: string): boolean => /^\s*v\s*=\s*DMARC1/i.test(text);

export function brandLogoOf({ dmarc, isInherited, bimi, bimiHost }: LogoRecords): BrandLogo {
  const records = bimi.filter(isBimi);
  const [record] = records;
  const isDmarcEnforced = enforces(dmarc.filter(isDmarc), isInherited);
  if (record === undefined) return { isDmarcEnforced, host: null, mistake: null, isDeclined: false };
  const tags = parseTags(record);
  const mistake = records.length > 1 ? 'there are several records, and none of them counts' : mistakeIn(tags);
  const isDeclined = mistake === null && tags?.get('l') === '';
  return { isDmarcEnforced, host: bimiHost, mistake, isDeclined };
}

const enforced = new Set(['quarantine', 'reject']);

function enforces(records: readonly string[], isInherited: boolean): boolean {
  const [record] = records;
  const tags = record === undefined || records.length > 1 ? undefined : parseTags(record);
  if (tags === undefined) return false;
  const policy = tags.get('p') ?? '';
  const policies = isInherited ? [policy, tags.get('sp') ?? policy] : [policy];
  const isForAll = Number(tags.get('pct') ?? '100') === 100 && (tags.get('t') ?? 'n').toLowerCase() !== 'y';
  return isForAll && policies.every((one) => enforced.has(one.toLowerCase()));
}

function mistakeIn(tags: ReadonlyMap<string, string> | undefined): string | null {
  if (tags === undefined || [...tags.keys()][0] !== 'v' || tags.get('v') !== 'BIMI1')
    return 'it does not begin with v=BIMI1';
  const [logo, authority] = [tags.get('l'), tags.get('a') ?? ''];
  if (logo === undefined) return 'it has no l= with the address of the logo';
  if (authority !== '' && !isHttps(authority)) return 'the address in a= is not https';
  if (logo === '') return authority === '' ? null : 'it has a certificate in a=, and no logo in l=';
  if (!isHttps(logo)) return 'the address in l= is not https';
  return new URL(logo).pathname.toLowerCase().endsWith('.svg') ? null : 'the address in l= is not one of an .svg file';
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
