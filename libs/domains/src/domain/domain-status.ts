import { DomainStatus } from './domain.js';
import { RecordCheck, RecordPurpose, RecordStatus, waitMs } from './record-check.js';

/**
 * The status of a domain, derived from its required records. A lost record is a temporary failure for 72 hours. After
 * that the domain is `failed`, or `partially_failed` if another capability (receiving beside sending) still works.
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
  /** When the oldest unverified record began to be waited for. */
  readonly waitingSince: Date | undefined;
  /** True while a new key waits for its record to be seen. */
  readonly rotating: boolean;
}

/**
 * When the records are checked next; null if they are not checked until a customer asks. `random` in [0, 1) spreads
 * the checks of domains that were created together.
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
      return later(pendingIntervalMs(now.getTime() - (waitingSince ?? now).getTime()));
  }
}

/**
 * Interval between checks while records are pending. Most people ask for a check right after they have saved the
 * records, or the next day.
 */
function pendingIntervalMs(waitedMs: number): number {
  if (waitedMs < 10 * minute) return minute / 2;
  if (waitedMs < hour) return 2 * minute;
  return waitedMs < waitMs / 12 ? 10 * minute : hour / 2;
}
