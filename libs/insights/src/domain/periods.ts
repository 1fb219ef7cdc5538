import { Granularity } from './metrics-request.js';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * The names of all periods that a range touches, in order. A day, a week (which begins on Monday) or a month is named by its first day in
 * the time zone, such as `2026-07-01`; an hour by the moment when it begins. Undefined if there are more than `max`.
 */
export function periodsBetween(
  start: Date,
  end: Date,
  granularity: Granularity,
  timeZone: string,
  max: number,
): string[] | undefined {
  if (end.getTime() <= start.getTime()) return [];
  const last = new Date(end.getTime() - 1);
  if (granularity === 'hourly') return hoursBetween(start, last, timeZone, max);
  const periods: string[] = [];
  const lastDay = localDay(last, timeZone);
  for (let at = firstDay(localDay(start, timeZone), granularity); at <= lastDay; at = nextDay(at, granularity)) {
    if (periods.length === max) return undefined;
    periods.push(at.toISOString().slice(0, 10));
  }
  return periods;
}

function hoursBetween(start: Date, last: Date, timeZone: string, max: number): string[] | undefined {
  // With one hour for each change of the offset, of which a zone has a few in a year.
  if ((last.getTime() - start.getTime()) / hour > max + 10) return undefined;
  const periods: string[] = [];
  const offsetAt = weeklyOffsets(timeZone);
  // In some zones an hour begins at :30 or :45 of a UTC hour, and the offset may change once or twice a year.
  let at = beginningOfHour(start.getTime(), offsetAt);
  while (at <= last.getTime()) {
    if (periods.length === max) return undefined;
    periods.push(new Date(at).toISOString());
    at = beginningOfHour(at + hour, offsetAt);
  }
  return periods;
}

function beginningOfHour(at: number, offsetAt: (moment: number) => number): number {
  const offset = offsetAt(at);
  return Math.floor((at + offset) / hour) * hour - offset;
}

/** Looks up the offset once a week if it does not change in that week: a look-up takes 30 us. */
function weeklyOffsets(timeZone: string): (moment: number) => number {
  const weeks = new Map<number, number | undefined>();
  return (moment) => {
    const from = Math.floor(moment / (7 * day)) * 7 * day;
    if (!weeks.has(from)) {
      const offset = offsetMs(new Date(from), timeZone);
      weeks.set(from, offset === offsetMs(new Date(from + 7 * day), timeZone) ? offset : undefined);
    }
    return weeks.get(from) ?? offsetMs(new Date(moment), timeZone);
  };
}

/** Midnight UTC of the local date in the zone. */
function localDay(moment: Date, timeZone: string): Date {
  return new Date(Math.floor((moment.getTime() + offsetMs(moment, timeZone)) / day) * day);
}

function firstDay(localDate: Date, granularity: Granularity): Date {
  if (granularity === 'monthly') return new Date(Date.UTC(localDate.getUTCFullYear(), localDate.getUTCMonth(), 1));
  if (granularity === 'weekly') return new Date(localDate.getTime() - ((localDate.getUTCDay() + 6) % 7) * day);
  return localDate;
}

function nextDay(at: Date, granularity: Granularity): Date {
  if (granularity === 'monthly') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
  return new Date(at.getTime() + (granularity === 'weekly' ? 7 : 1) * day);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The offset of local time from UTC. Formats are kept: making one costs a thousand times as much as using it. */
function offsetMs(moment: Date, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}
