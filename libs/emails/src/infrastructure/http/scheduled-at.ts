import { existingMoment, momentOf, ValidationError, wallTime } from '#kernel';
import { ParsedResult, parse } from 'chrono-node/en';
import { withoutZones } from './spoken-zones.js';

const iso = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
/**
 * Maximum length of natural English, with each run of white space counted as one character. For some texts chrono's
 * time doubles with every few words: 100 characters of `10 m 10 m …` took 1.5 s, the slowest known text of 50
 * characters takes 5 ms.
 */
export const maxNaturalLength = 50;
/** With the names of zones, which chrono does not get. The longest has 32 characters. */
const maxLength = maxNaturalLength + 50;
/** Words that may stand around a time and do not change it. */
const fillers = /\b(?:at|on|in|the|right)\b|[\s.,]/gi;

/** Two numbers that may be the month and the day, or the day and the month. A year may not stand before them. */
const dayAndMonth = /(?<![\d/.-])(\d{1,2})(?:\/|[.-](?=\d{1,2}[.-]\d))(\d{1,2})(?!\d)/;
/** JavaScript writes the name of the zone behind its offset, in any language. */
const nameBehindOffset = /(GMT[+-]\d{4}) \([^()]{1,60}\)$/;

/** Words for a day that may be past, and is not to be another one then. */
const fixedDay = /\b(?:last|past|this (?:morning|afternoon|evening)|tonight)\b/i;

/** A time that was read, and what a clock shows there if its zone was not given. */
interface ReadTime {
  readonly moment: number;
  /** The clock on the wall, as if it were UTC. Undefined where no zone can change the moment: `in 1 hour`, or `Z`. */
  readonly wall?: number;
  /** Whether the text has an offset, so that a zone must agree with it. */
  readonly hasOffset: boolean;
}

/**
 * Parses ISO 8601 or natural English such as `in 1 min` or `tomorrow at 9am`, in the zone that it names, otherwise in
 * UTC. All of it must be understood: a zone or a time that was skipped would send hours early or late.
 *
 * A time that a zone skips when its clocks go forward is the moment behind the gap; of two, it is the first.
 */
export function parseScheduledAt(text: string, now: Date): Date {
  const words = text.slice(0, 1_000).replace(/\s+/g, ' ').trim();
  if (text.length > 1_000 || words.length > maxLength) throw notATime();
  const { rest, zones } = withoutZones(words.replace(nameBehindOffset, '$1'));
  const [zone] = zones;
  const read = isoTime(rest) ?? naturalLanguage(rest, now, zone);
  if (read.wall === undefined) return new Date(read.moment);
  const moment = zone === undefined || read.hasOffset ? read.moment : (momentOf(read.wall, zone) ?? NaN);
  if (zones.some((each) => wallTime(new Date(moment), each) !== wallTime(new Date(moment), zone ?? each))) {
    throw new ValidationError(`The \`scheduled_at\` field names zones that differ: ${zones.join(', ')}.`);
  }
  if (read.hasOffset && zone !== undefined && wallTime(new Date(moment), zone) !== read.wall) {
    throw new ValidationError(`The offset in the \`scheduled_at\` field is not that of ${zone} at that time.`);
  }
  return new Date(moment);
}

/** Adds what JavaScript requires but PostgreSQL and people leave out: the `T`, and the minutes of an offset. */
function isoTime(text: string): ReadTime | undefined {
  const [, time = '', offset = ''] = iso.exec(text) ?? [];
  const day = time.replace(' ', 'T');
  const moment = existingMoment(`${day}${offset === '' ? 'Z' : offset.replace(/^([+-]\d{2})$/, '$1:00')}`);
  // With a zone, `Z` says that the offset is not known (RFC 9557 section 2.2): nothing has to agree with it.
  const wall = /z/i.test(offset) ? undefined : Date.parse(`${day}Z`);
  return moment && { moment: moment.getTime(), wall, hasOffset: offset !== '' };
}

function naturalLanguage(words: string, now: Date, zone = 'UTC'): ReadTime {
  if (words.length > maxNaturalLength) throw notATime();
  // `tomorrow` and `Friday` begin at midnight of the zone. Its offset at another date is not asked of chrono.
  const timezone = Math.round((wallTime(now, zone) - now.getTime()) / 60_000);
  // chrono also reads short forms such as `min`, with or without a space after the number.
  const readFrom = (minutes: number): ParsedResult | undefined =>
    parse(words, { instant: now, timezone: minutes }, { forwardDate: !fixedDay.test(words) })[0];
  const first = readFrom(timezone);
  // An offset and an abbreviation have their own midnight. Only chrono finds them.
  const offset = first?.start.isCertain('timezoneOffset') === true ? first.start.get('timezoneOffset') : null;
  const result = offset === null ? first : readFrom(offset);
  if (result === undefined) throw notATime();
  const moment = result.start.date().getTime();
  const skipped = skippedPart(words, result);
  if (skipped !== '') throw new PartlyUnderstoodError(result.text, new Date(moment), skipped);
  const isDistance = result.tags().has('result/relativeDateAndTime');
  return { moment, wall: isDistance ? undefined : wallOf(result), hasOffset: result.start.isCertain('timezoneOffset') };
}

/** What chrono left out. Throws for what it took for something else. */
function skippedPart(words: string, { index, text, start, end }: ParsedResult): string {
  const around = `${words.slice(0, index)} ${words.slice(index + text.length)}`;
  if (around.replace(fillers, '') !== '') return around.trim();
  // Of `.5` and `1,5` it reads the 5.
  if (/[.,]$/.test(words.slice(0, index)) && /^\d/.test(text)) return words.slice(0, index).trim();
  if (end !== undefined && end !== null) throw unclear('it is a span of time');
  // Of `Dec 32` it reads a year.
  if (start.isCertain('year') && !start.isCertain('day') && / \d\d$/.test(text))
    throw unclear('the month does not have this day');
  if (Math.abs(start.get('timezoneOffset') ?? 0) >= 24 * 60) throw unclear('the offset is too large');
  const [, one = 0, other = 0] = (dayAndMonth.exec(words) ?? []).map(Number);
  if (start.isCertain('month') && one !== other && one <= 12 && other <= 12)
    throw unclear('either number may be the month. Write `2026-12-05`');
  // It takes 2 at night for 2 p.m., and midnight for noon.
  const hour = start.get('hour') ?? 0;
  const isAtNight = /\b(?:tonight|night|evening)\b/i.test(text) && start.isCertain('hour');
  if (isAtNight ? hour < 17 && !/\d ?p\.?m\b/i.test(text) : hour > 0 && /\bmidnight\b/i.test(text))
    throw unclear('the hour may be before or after midnight. Write `23:00`');
  const day = new Date(
    Date.UTC(start.get('year') ?? 0, (start.get('month') ?? 1) - 1, start.get('day') ?? 1),
  ).getUTCDay();
  if (start.isCertain('weekday') && start.get('weekday') !== day)
    throw unclear('the date is on another day of the week');
  return '';
}

function wallOf({ start }: ParsedResult): number {
  const [year, month, day, hour, minute, second, millisecond] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'] as const
  ).map((name) => start.get(name) ?? 0) as [number, number, number, number, number, number, number];
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

class PartlyUnderstoodError extends ValidationError {
  constructor(understood: string, as: Date, skipped: string) {
    // The text also stands in SMTP replies, which are ASCII.
    const [known, unknown] = [understood, skipped].map((part) => part.replace(/[^ -~]/g, '?'));
    super(
      `The \`scheduled_at\` field was understood in part: \`${known}\` is ${as.toISOString()}, but not ` +
        `\`${unknown}\`. A time zone is an offset or a name such as \`Europe/Berlin\`.`,
    );
  }
}

/** `reason` ends without a period. */
const unclear = (reason: string): ValidationError =>
  new ValidationError(`The \`scheduled_at\` field is not clear: ${reason}.`);

function notATime(): ValidationError {
  return new ValidationError(
    'The `scheduled_at` field must be an ISO 8601 date with a time zone, or a time such as `in 1 hour`.',
  );
}
