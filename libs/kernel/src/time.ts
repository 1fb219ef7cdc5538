/** The current time. It is a port so that tests can set the time. */
export abstract class Clock {
  abstract now(): Date;
}

/**
 * The moment that a text in ISO 8601 names. Undefined if it names none, or if its day does not exist: JavaScript reads
 * 30 February as a day of March.
 */
export function existingMoment(text: string): Date | undefined {
  const day = text.slice(0, 10);
  const [moment, midnight] = [new Date(text), new Date(`${day}T00:00:00Z`)];
  if (Number.isNaN(moment.getTime()) || Number.isNaN(midnight.getTime())) return undefined;
  return midnight.toISOString().startsWith(day) ? moment : undefined;
}

const dayMs = 86_400_000;
/** Formats take 50 µs to make and some KB each. There are 600 names of zones, and more ways to write them. */
const maxFormats = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether this is the name of a zone that is known here. */
export function isTimeZone(name: string): boolean {
  return formatOf(name) !== undefined;
}

/** The clock on the wall of a zone at a moment, as if it were UTC. Throws RangeError for unknown zones. */
export function wallTime(at: Date, timeZone: string): number {
  const format = formatOf(timeZone);
  if (format === undefined) throw new RangeError(`The time zone ${timeZone} is not known`);
  return wallOf(at.getTime(), format);
}

/**
 * The moment at which the clock on the wall of a zone shows this time; undefined for unknown zones. Where the clock is
 * put forward over that time, it is the moment behind the gap; if it is put back, the first of both.
 */
export function momentOf(wall: number, timeZone: string): number | undefined {
  const format = formatOf(timeZone);
  if (format === undefined) return undefined;
  // The offsets before and after any change near that time.
  const offsets = [wall - dayMs, wall + dayMs].map((moment) => wallOf(moment, format) - moment);
  const moments = offsets.map((offset) => wall - offset).sort((a, b) => a - b);
  return moments.find((moment) => wallOf(moment, format) === wall) ?? moments[1];
}

function wallOf(moment: number, format: Intl.DateTimeFormat): number {
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return (
    Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) +
    (((moment % 1_000) + 1_000) % 1_000)
  );
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const numeric = 'numeric';
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
    if (formats.size >= maxFormats) formats.clear();
    formats.set(timeZone, format);
    return format;
  } catch {
    return undefined;
  }
}
