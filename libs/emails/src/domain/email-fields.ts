import { ValidationError } from '#kernel';
import { Tag } from './email.js';

const allowedInTags = /^[A-Za-z0-9_-]{1,256}$/;
export const maxTags = 50;

export function checkTags(tags: readonly Tag[] | undefined): readonly Tag[] | null {
  if (tags === undefined || tags.length === 0) return null;
  if (tags.length > maxTags) throw new ValidationError(`The \`tags\` field may have at most ${maxTags} tags.`);
  for (const tag of tags) {
    if (!allowedInTags.test(tag.name) || !allowedInTags.test(tag.value)) {
      throw new ValidationError(
        'Tags should only contain ASCII letters, numbers, underscores, or dashes, and have at most 256 characters.',
      );
    }
  }
  return tags;
}

/** Refuses text that PostgreSQL cannot store: with NUL, or with half of a surrogate pair. */
export function checkStorable(field: string, ...texts: readonly (string | undefined)[]): void {
  for (const text of texts) {
    if (text === undefined || (!text.includes('\0') && text.isWellFormed())) continue;
    throw new ValidationError(`The \`${field}\` field must not contain NUL or half of a surrogate pair.`);
  }
}

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

const hourMs = 3_600_000;
const maxMs = 48 * hourMs;
const duration = /^\s*(\d{1,9})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)\s*$/i;
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: hourMs, d: 24 * hourMs };

/** Milliseconds of a text such as `10m`, `2 hours` or `1 day`. Without a text, the maximum: 48 hours. */
export function parseExpiresIn(text: string | undefined): number {
  if (text === undefined) return maxMs;
  const [, amount, unit] = duration.exec(text) ?? [];
  const milliseconds = Number(amount) * (unitMs[unit?.charAt(0).toLowerCase() ?? ''] ?? NaN);
  if (!(milliseconds > 0)) {
    throw new ValidationError('The `expires_in` field must be a duration such as `10m`, `2 hours` or `1 day`.');
  }
  if (milliseconds > maxMs) throw new ValidationError('expires_in must not exceed 48 hours');
  return milliseconds;
}
