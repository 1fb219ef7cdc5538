/** When workers of a region were seen, by the clock of the database. */
export interface RegionPresence {
  readonly name: string;
  /** For how long no worker has been seen. */
  readonly silentMs: number;
  /** For how long one has been seen without a break until then. */
  readonly steadyMs: number;
  /** Workers that are alive. */
  readonly workers: number;
}

/** Heartbeats come every two seconds. */
const aliveWithinMs = 10_000;

/**
 * The region that stands in for each one, or null for a region that sends for itself again. A region without an entry
 * stays as it is: it has been silent, or back, for less than `patienceMs`, or no other is alive.
 *
 * The next region in the order of the configuration stands in, so that it is the same one for every worker that asks.
 */
export function standInsOf(
  regions: readonly string[],
  presences: readonly RegionPresence[],
  patienceMs: number,
): ReadonlyMap<string, string | null> {
  const found = new Map(presences.map((presence) => [presence.name, presence]));
  const isAlive = (region: string): boolean => (found.get(region)?.silentMs ?? Infinity) < aliveWithinMs;
  const standIns = new Map<string, string | null>();
  for (const [no, region] of regions.entries()) {
    const { silentMs, steadyMs } = found.get(region) ?? { silentMs: Infinity, steadyMs: 0 };
    const next = [...regions.slice(no + 1), ...regions.slice(0, no)].find(isAlive);
    if (silentMs >= Math.max(patienceMs, aliveWithinMs) && next !== undefined) standIns.set(region, next);
    else if (isAlive(region) && steadyMs >= patienceMs) standIns.set(region, null);
  }
  return standIns;
}
