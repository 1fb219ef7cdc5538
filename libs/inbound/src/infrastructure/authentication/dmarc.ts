import { getDomain } from 'tldts';
import { DkimVerdict, DmarcVerdict, SpfVerdict } from '../../domain/verdicts.js';

/**
 * The DMARC rules (RFC 7489 section 6.6). Not those of mailauth, which take strict alignment for relaxed and do not judge a
 * message with several authors.
 */
export interface DmarcPolicy {
  readonly policy: 'none' | 'quarantine' | 'reject';
  readonly strictDkim: boolean;
  readonly strictSpf: boolean;
}

/** Undefined if a record has no usable policy. `isOfParent`: the record was found at the organizational domain. */
export function readPolicy(record: string, isOfParent: boolean): DmarcPolicy | undefined {
  const tags = new Map(
    record.split(';', 100).map((tag) => {
      const equals = tag.indexOf('=');
      const [name, value] = equals < 0 ? [tag, ''] : [tag.slice(0, equals), tag.slice(equals + 1)];
      return [name.trim().toLowerCase(), value.trim().toLowerCase()] as const;
    }),
  );
  const asked = (isOfParent ? tags.get('sp') : undefined) ?? tags.get('p');
  if (asked !== 'none' && asked !== 'quarantine' && asked !== 'reject') return undefined;
  // An owner that tests asks for less than its policy says.
  const isTest = tags.get('t') === 'y' || Number(tags.get('pct') ?? '100') < 100;
  const policy = isTest ? weakened[asked] : asked;
  return { policy, strictDkim: tags.get('adkim') === 's', strictSpf: tags.get('aspf') === 's' };
}

const weakened = { none: 'none', quarantine: 'none', reject: 'quarantine' } as const;

/** The records of a name that are DMARC records. Several count as none (section 6.6.3). */
export function dmarcRecordOf(records: readonly string[]): string | undefined {
  const found = records.filter((record) => /^v=DMARC1(?:\s*;|\s*$)/i.test(record.trim()));
  return found.length === 1 ? found[0] : undefined;
}

export function organizationalDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

export function isAligned(author: string, domain: string, strict: boolean): boolean {
  return strict ? author === domain : organizationalDomain(author) === organizationalDomain(domain);
}

/** The result for one author's domain. */
export function evaluateDmarc(
  domain: string,
  policy: DmarcPolicy | undefined,
  spf: SpfVerdict,
  dkim: readonly Omit<DkimVerdict, 'aligned'>[],
): DmarcVerdict {
  if (policy === undefined) return { result: 'none', domain, alignedBy: [] };
  const bySpf = spf.result === 'pass' && isAligned(domain, spf.domain, policy.strictSpf);
  const byDkim = dkim.some(
    (signature) => signature.result === 'pass' && isAligned(domain, signature.domain, policy.strictDkim),
  );
  const alignedBy = [...(bySpf ? (['spf'] as const) : []), ...(byDkim ? (['dkim'] as const) : [])];
  const base = { domain, policy: policy.policy, alignedBy };
  if (alignedBy.length > 0) return { ...base, result: 'pass' };
  const mayStillPass = [spf, ...dkim].some(({ result }) => result === 'temperror');
  return { ...base, result: mayStillPass ? 'temperror' : 'fail' };
}

const severity = ['fail', 'temperror', 'permerror', 'none', 'pass'];
const strictness = ['reject', 'quarantine', 'none', undefined];

/** The verdict on a message with several authors: the worst, because a reader may be shown any of them. */
export function worstOf(verdicts: readonly DmarcVerdict[]): DmarcVerdict | undefined {
  return [...verdicts].sort(
    (one, other) =>
      severity.indexOf(one.result) - severity.indexOf(other.result) ||
      strictness.indexOf(one.policy) - strictness.indexOf(other.policy),
  )[0];
}
