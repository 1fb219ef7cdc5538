import { ValidationError } from '#kernel';

const horizonMs = 30 * 24 * 3_600_000;
/** Clocks differ and requests travel: a moment just past means now. */
const toleranceMs = 60_000;

/** The moment itself, if an email may be scheduled for it. One that is just past is due at once. */
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
