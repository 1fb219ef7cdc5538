import { ValidationError } from '#kernel';

const horizonMs = 30 * 24 * 3_600_000;
/** Clocks differ and requests take time, so a time just past counts as now. */
const toleranceMs = 60_000;

/** Throws where a broadcast may not be scheduled for this time. */
export function checkSchedule(at: Date, now: Date): void {
  if (at.getTime() > now.getTime() + horizonMs) {
    throw new ValidationError('The `scheduled_at` field must be at most 30 days ahead.');
  }
  if (at.getTime() < now.getTime() - toleranceMs) {
    throw new ValidationError('The `scheduled_at` field must be in the future.');
  }
}
