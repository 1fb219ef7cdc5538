import { Mistake } from './mistake.js';

export type RecordStatus = 'not_started' | 'pending' | 'verified' | 'failed' | 'temporary_failure';

/** What a record is for. Only `sending` and `receiving` records decide on the domain's status. */
export type RecordPurpose = 'sending' | 'receiving' | 'optional';

/** What a look in the DNS showed of one record. */
export type Finding =
  | { readonly kind: 'right' }
  | { readonly kind: 'missing' | 'wrong'; readonly mistake: Mistake; readonly found: readonly string[] }
  /** Whatever was found, the service does not do yet what the record is for. */
  | { readonly kind: 'unserved'; readonly found: readonly string[] }
  /** The DNS gave no answer: says nothing about the record. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** What is known of one record, as it is stored. */
export interface RecordCheck {
  readonly purpose: RecordPurpose;
  readonly status: RecordStatus;
  /** ISO time since which it has been waited for: for the first time, or again since it was lost. */
  readonly since?: string;
  readonly mistake?: Mistake;
  readonly found?: readonly string[];
  /** Set where the last look got no answer. */
  readonly unanswered?: string;
}

/** By the key of the record: `dkim:<selector>`, `return-path`, `spf`, `receiving`, `tracking`, `dmarc`. */
export type RecordChecks = Readonly<Record<string, RecordCheck>>;

/** How long a record is waited for: from the first look, and from the moment a verified one is lost. */
export const waitMs = 72 * 3_600_000;

/** What is kept of somebody else's zone, to be shown: an answer of the DNS may have 64 KB. */
const maxFoundTexts = 20;
const maxFoundCharacters = 1_000;

/** The state of a record after a look at it. */
export function nextCheck(
  previous: RecordCheck | undefined,
  purpose: RecordPurpose,
  finding: Finding,
  now: Date,
): RecordCheck {
  switch (finding.kind) {
    case 'right':
      return { purpose, status: 'verified' };
    case 'unserved': {
      const since = previous?.since ?? now.toISOString();
      return { purpose, status: 'pending', since, mistake: 'service_does_not_receive', found: finding.found };
    }
    case 'unknown':
      return unanswered(previous, purpose, finding.reason, now);
    case 'missing':
    case 'wrong': {
      const { mistake } = finding;
      const found = finding.found.slice(0, maxFoundTexts).map((text) => text.slice(0, maxFoundCharacters));
      if (purpose === 'optional') {
        return { purpose, status: finding.kind === 'missing' ? 'not_started' : 'failed', mistake, found };
      }
      return { ...waiting(previous, purpose, now), mistake, found };
    }
  }
}

function waiting(previous: RecordCheck | undefined, purpose: RecordPurpose, now: Date): RecordCheck {
  const since = previous?.since ?? now.toISOString();
  const isOver = now.getTime() - Date.parse(since) >= waitMs;
  switch (previous?.status) {
    case 'verified':
      return { purpose, status: 'temporary_failure', since: now.toISOString() };
    case 'temporary_failure':
      return { purpose, status: isOver ? 'failed' : 'temporary_failure', since };
    case 'failed':
      return { purpose, status: 'failed', since };
    case 'pending':
    case 'not_started':
    case undefined:
      return { purpose, status: isOver ? 'failed' : 'pending', since };
  }
}

/** What was good stays good; what has never been seen is not waited for longer than anything else. */
function unanswered(previous: RecordCheck | undefined, purpose: RecordPurpose, reason: string, now: Date): RecordCheck {
  const status = previous?.status ?? 'not_started';
  if (purpose !== 'optional' && (status === 'not_started' || status === 'pending')) {
    return { ...waiting(previous, purpose, now), unanswered: reason };
  }
  return { ...previous, purpose, status, unanswered: reason };
}

/** Before a look that the customer asked for: what had been given up is waited for anew. */
export function restarted(check: RecordCheck | undefined, purpose: RecordPurpose, now: Date): RecordCheck {
  if (check?.status === 'verified' || check?.status === 'temporary_failure') return check;
  if (purpose === 'optional') return { purpose, status: check?.status ?? 'not_started' };
  return { ...check, purpose, status: 'pending', since: now.toISOString() };
}
