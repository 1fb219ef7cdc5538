import { existingMoment, ValidationError } from '#kernel';
import { parseDate } from 'chrono-node/en';

const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;
/**
 * Maximum length of natural English, with each run of white space counted as one character. For some texts chrono's
 * time doubles with every few words: 100 characters of `10 m 10 m …` took 1.5 s, the slowest known text of 50
 * characters takes 5 ms.
 */
export const maxNaturalLength = 50;

/** Parses ISO 8601 with an offset, or natural English such as `in 1 min` or `tomorrow at 9am`, which is read as UTC. */
export function parseScheduledAt(text: string, now: Date): Date {
  const moment = iso.test(text) ? isoDate(text) : naturalLanguage(text, now);
  if (moment === undefined || moment === null || Number.isNaN(moment.getTime())) {
    throw new ValidationError(
      'The `scheduled_at` field must be an ISO 8601 date with a time zone, or a time such as `in 1 hour`.',
    );
  }
  return moment;
}

/** Adds what JavaScript requires but PostgreSQL and people leave out: the `T`, and the minutes of an offset. */
function isoDate(text: string): Date | undefined {
  return existingMoment(
    text
      .replace(' ', 'T')
      .replace(/\s/g, '')
      .replace(/([+-]\d{2})$/, '$1:00'),
  );
}

function naturalLanguage(text: string, now: Date): Date | null {
  const words = text.slice(0, 1_000).replace(/\s+/g, ' ').trim();
  if (text.length > 1_000 || words.length > maxNaturalLength) return null;
  // chrono also reads short forms such as `min`, with or without a space after the number.
  return parseDate(words, { instant: now, timezone: 0 }, { forwardDate: true });
}
