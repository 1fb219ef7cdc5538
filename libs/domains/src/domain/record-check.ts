import { Mistake } from './mistake.js';

export type RecordStatus = 'not_started' | 'pending' | 'verified' | 'failed' | 'temporary_failure';

/** The purpose of a record. Only `sending` and `receiving` records decide the domain's status. */
export type RecordPurpose = 'sending' | 'receiving' | 'optional';

/** What one inspection of a record in the DNS found. */
export type Finding =
  | { readonly kind: 'right' }
  | { readonly kind: 'missing' | 'wrong'; readonly mistake: Mistake; readonly found: readonly string[] }
  /** The DNS gave no answer, so nothing is known about the record. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The stored state of one record. */
export interface RecordCheck {
  readonly purpose: RecordPurpose;
  readonly status: RecordStatus;
  /**
   * ISO time at which the service began to wait for the record: its first check, or the time when a verified record was
   * lost.
   */
  readonly since?: string;
  readonly mistake?: Mistake;
  readonly found?: readonly string[];
  /** Why the last inspection got no answer. */
  readonly unanswered?: string;
}

/** By record key: `dkim:<selector>`, `return-path`, `spf`, `receiving`, `tracking`, `dmarc`, `tls-reporting`. */
export type RecordChecks = Readonly<Record<string, RecordCheck>>;

/** How long the service waits for a record: after its first check, and after a verified record was lost. */
export const waitMs = 72 * 3_600_000;

/** Limits of what is stored of the records found, to show them: an answer of the DNS can have 64 KB. */
const maxFoundTexts = 20;
const maxFoundCharacters = 1_000;

/** The state of a record after an inspection. */
export function nextCheck(
  previous: RecordCheck | undefined,
  purpose: RecordPurpose,
  finding: Finding,
  now: Date,
): RecordCheck {
  switch (finding.kind) {
    case 'right':
      return { purpose, status: 'verified' };
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

/**
 * A verified record stays verified without an answer. A record that was never seen is given up after the same time as
 * any other.
 */
function unanswered(previous: RecordCheck | undefined, purpose: RecordPurpose, reason: string, now: Date): RecordCheck {
  const status = previous?.status ?? 'not_started';
  if (purpose !== 'optional' && (status === 'not_started' || status === 'pending')) {
    return { ...waiting(previous, purpose, now), unanswered: reason };
  }
  return { ...previous, purpose, status, unanswered: reason };
}

/** Prepares the check that a customer asked for: waiting starts again for a record that had failed. */
export function restarted(check: RecordCheck | undefined, purpose: RecordPurpose, now: Date): RecordCheck {
  if (check?.status === 'verified' || check?.status === 'temporary_failure') return check;
  if (purpose === 'optional') return { purpose, status: check?.status ?? 'not_started' };
  return { ...check, purpose, status: 'pending', since: now.toISOString() };
}
