import { momentOf, wallTime } from '#kernel';
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
