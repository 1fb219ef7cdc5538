import { ValidationError } from '#kernel';

const horizonMs = 30 * 24 * 3_600_000;
/** Clocks differ and requests take time, so a time just past counts as now. */
const toleranceMs = 60_000;

/** Returns the time if an email may be scheduled for it. A time just past is due at once. */
export function checkSchedule(moment: Date, now: Date): Date {
  if (Number.isNaN(moment.getTime())) throw new ValidationError('The `scheduled_at` field must be a time.');
  if (moment.getTime() > now.getTime() + horizonMs) {
    throw new ValidationError('The `scheduled_at` field must be at most 30 days ahead.');
  }
  if (moment.getTime() < now.getTime() - toleranceMs) {
    throw new ValidationError('The `scheduled_at` field must be in the future.');
  }
  return moment;
}
