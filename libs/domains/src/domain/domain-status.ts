import { DomainStatus } from './domain.js';
import { RecordCheck, RecordPurpose, RecordStatus, waitMs } from './record-check.js';

/**
 * The status of a domain from those of its required records. A lost record is a temporary failure until it is given up;
 * then the domain has failed, partially where another capability (receiving beside sending) still works.
 */
export function statusOf(checks: readonly RecordCheck[]): DomainStatus {
  const required = checks.filter(({ purpose }) => purpose !== 'optional');
  const has = (status: RecordStatus): boolean => required.some((check) => check.status === status);
  if (has('failed')) return capabilitiesOf(required).some(works) ? 'partially_failed' : 'failed';
  if (has('temporary_failure')) return 'temporary_failure';
  if (required.length > 0 && required.every(isVerified)) return 'verified';
  if (has('verified')) return 'partially_verified';
  return has('pending') ? 'pending' : 'not_started';
}

function capabilitiesOf(required: readonly RecordCheck[]): RecordCheck[][] {
  const purposes: RecordPurpose[] = ['sending', 'receiving'];
  return purposes.map((purpose) => required.filter((check) => check.purpose === purpose));
}

function works(records: readonly RecordCheck[]): boolean {
  return records.length > 0 && records.every(isVerified);
}

function isVerified({ status }: RecordCheck): boolean {
  return status === 'verified';
}

const minute = 60_000;
const hour = 60 * minute;

export interface CheckOccasion {
  readonly status: DomainStatus;
  /** Since when the longest missing record is waited for. */
  readonly waitingSince: Date | undefined;
  /** A new key waits to be seen. */
  readonly rotating: boolean;
}

/**
 * When the records are looked at again, or null: never, until somebody asks. `random` in [0, 1) spreads the domains
 * that were created together.
 */
export function nextCheckAt(occasion: CheckOccasion, now: Date, random: number): Date | null {
  const later = (ms: number): Date => new Date(now.getTime() + ms * (0.9 + 0.2 * random));
  const { status, waitingSince, rotating } = occasion;
  switch (status) {
    case 'not_started':
    case 'failed':
      return null;
    case 'verified':
    case 'partially_failed':
      return later(rotating ? 10 * minute : hour);
    case 'temporary_failure':
      return later(10 * minute);
    case 'pending':
    case 'partially_verified':
      return later(patience(now.getTime() - (waitingSince ?? now).getTime()));
  }
}

/** Most people press the button right after they have saved the records, or the day after. */
function patience(waitedMs: number): number {
  if (waitedMs < 10 * minute) return minute / 2;
  if (waitedMs < hour) return 2 * minute;
  return waitedMs < waitMs / 12 ? 10 * minute : hour / 2;
}
