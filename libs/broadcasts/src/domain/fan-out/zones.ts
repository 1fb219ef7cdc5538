import { AudiencePlan } from './waves.js';

export interface LocalTime {
  /** The property with the name of the contact's zone. */
  readonly property: string;
  /** The zone of contacts without a known one. The time of the broadcast is meant in it. */
  readonly timeZone: string;
}

/** The moment at which it is the same time of the same day everywhere: the first zone is 14 hours ahead of UTC. */
const maxAheadMs = 14 * 3_600_000;

/**
 * When the audience of a broadcast has to be fixed so that nobody is late: when the hour comes to the first zone. `at`
 * is the moment at which it comes to the zone of the broadcast.
 */
export function firstRelease(at: Date, { timeZone }: LocalTime): Date {
  return new Date(wallTime(at, timeZone) - maxAheadMs);
}

/**
 * Divides an audience by the moments at which the time of the broadcast comes to the zones. What has passed is released
 * at once.
 */
export function zonesPlan(
  { property, timeZone }: LocalTime,
  at: Date,
  names: readonly string[],
  now: Date,
): AudiencePlan {
  const wall = wallTime(at, timeZone);
  const moments = new Map<string, number>();
  for (const name of new Set([...names, timeZone])) {
    const moment = momentOf(wall, name);
    if (moment !== undefined) moments.set(name.toLowerCase(), Math.max(moment, now.getTime()));
  }
  const releases = [...new Set([...moments.values(), Math.max(at.getTime(), now.getTime())])].sort((a, b) => a - b);
  return {
    kind: 'zones',
    property,
    releases: releases.map((moment) => new Date(moment)),
    waveOf: new Map([...moments].map(([name, moment]) => [name, releases.indexOf(moment)])),
    otherWave: releases.indexOf(Math.max(at.getTime(), now.getTime())),
  };
}

/** Whether this is the name of a zone that is known here. */
export function isTimeZone(name: string): boolean {
  return formatOf(name) !== undefined;
}

/** The clock on the wall of a zone at a moment, as if it were UTC. */
function wallTime(at: Date, timeZone: string): number {
  const format = formatOf(timeZone);
  if (format === undefined) throw new RangeError(`The time zone ${timeZone} is not known`);
  return wallOf(at.getTime(), format);
}

/**
 * The moment at which the clock on the wall of a zone shows this time; undefined for unknown zones. Where the clock is
 * put forward over that time, it is the moment behind the gap; if it is put back, the first of both.
 */
function momentOf(wall: number, timeZone: string): number | undefined {
  const format = formatOf(timeZone);
  if (format === undefined) return undefined;
  const dayMs = 86_400_000;
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
  const numeric = 'numeric';
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    return undefined;
  }
}
