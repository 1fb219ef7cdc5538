import { isTimeZone, momentOf, ValidationError, wallTime } from '#kernel';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** From one time of day to another. If it ends earlier than it begins, it lasts past midnight. */
export interface Hours {
  readonly from: string;
  readonly to: string;
}

/** The properties of a contact that may hold the name of its zone, such as `Asia/Tokyo`. The first known name counts. */
export const zoneProperties = ['time_zone', 'timezone'] as const;

/** The zone of a contact, else the first of the others, else UTC. */
export function zoneOf(
  properties: Readonly<Record<string, unknown>> | undefined,
  ...others: readonly (string | null | undefined)[]
): string {
  const own = zoneProperties.map((name) => properties?.[name]);
  const known = own.find((name): name is string => typeof name === 'string' && isTimeZone(name));
  return known ?? others.find((name) => typeof name === 'string') ?? 'UTC';
}

/** Checks a time of day, such as `09:00`. */
export function parseTimeOfDay(thing: string, given: unknown): string {
  if (typeof given === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(given)) return given;
  throw new ValidationError(`${thing} must be a time of day such as \`09:00\`.`);
}

export function parseTimeZone(thing: string, given: unknown): string {
  if (typeof given === 'string' && /^[a-z][a-z0-9_+/-]{0,60}$/i.test(given) && isTimeZone(given)) return given;
  throw new ValidationError(`${thing} must be the name of a time zone, such as \`Europe/Berlin\`.`);
}

/** From now on, the first moment at which the clock of a zone shows a time of day, on one of the weekdays. */
export function nextTimeOfDay(now: Date, time: string, zone: string, days: readonly Weekday[] = weekdays): Date {
  const wall = wallTime(now, zone);
  const today = Math.floor(wall / dayMs) * dayMs;
  for (let day = today; day <= today + 8 * dayMs; day += dayMs) {
    // 1 January 1970 was a Thursday.
    const weekday = weekdays[(Math.floor(day / dayMs) + 3) % 7] as Weekday;
    const moment = momentOf(day + msOf(time), zone);
    if (moment !== undefined && moment >= now.getTime() && days.includes(weekday)) return new Date(moment);
  }
  return now;
}

/** When hours that have begun end. Undefined: they have not begun. */
export function endOfHours(now: Date, { from, to }: Hours, zone: string): Date | undefined {
  const time = wallTime(now, zone) % dayMs;
  const [begin, end] = [msOf(from), msOf(to)];
  const isWithin = begin < end ? time >= begin && time < end : time >= begin || time < end;
  return isWithin ? nextTimeOfDay(now, to, zone) : undefined;
}

/** The date in a zone, such as `2026-07-01`. */
export function dayIn(zone: string, now: Date): string {
  return new Date(wallTime(now, zone)).toISOString().slice(0, 10);
}

/** The beginning of the next day in a zone. */
export function nextDayIn(zone: string, now: Date): Date {
  return nextTimeOfDay(new Date(now.getTime() + 1), '00:00', zone);
}

/** The moment at which the clock of a zone shows a time on a date. */
export function momentIn(zone: string, date: string, time: string): Date | undefined {
  const moment = momentOf(Date.parse(`${date}T00:00:00Z`) + msOf(time), zone);
  return moment === undefined ? undefined : new Date(moment);
}

/** A moment as people of a zone would say it: `2026-07-01 09:00 (Europe/Berlin)`. */
export function saidIn(zone: string, at: Date): string {
  return `${new Date(wallTime(at, zone)).toISOString().slice(0, 16).replace('T', ' ')} (${zone})`;
}

function msOf(time: string): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * minuteMs;
}
