import { ValidationError } from '#kernel';
import { parseDate } from 'chrono-node/en';

const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
/**
 * Of natural English, runs of white space counted as one. The time that chrono takes doubles with each few words of some
 * texts: 100 characters of `10 m 10 m …` took it 1.5 s, the worst that were found of 50 take 5 ms.
 */
export const maxNaturalLength = 50;

/** ISO 8601 with an offset, or natural English such as `in 1 min` or `tomorrow at 9am`, which is read as UTC. */
export function parseScheduledAt(text: string, now: Date): Date {
  const moment = iso.test(text) ? isoDate(text) : naturalLanguage(text, now);
  if (moment === null || Number.isNaN(moment.getTime())) {
    throw new ValidationError(
      'The `scheduled_at` field must be an ISO 8601 date with a time zone, or a time such as `in 1 hour`.',
    );
  }
  return moment;
}

/** PostgreSQL and people leave out what JavaScript insists on: the `T`, and the minutes of an offset. */
function isoDate(text: string): Date {
  return new Date(
    text
      .replace(' ', 'T')
      .replace(/\s/g, '')
      .replace(/([+-]\d{2})$/, '$1:00'),
  );
}

function naturalLanguage(text: string, now: Date): Date | null {
  const words = text.slice(0, 1_000).replace(/\s+/g, ' ').trim();
  if (text.length > 1_000 || words.length > maxNaturalLength) return null;
  // Some people shorten minutes to `min` with a number glued to it; chrono reads both.
  return parseDate(words, { instant: now, timezone: 0 }, { forwardDate: true });
}
