/** How old the heartbeat of a dead worker is at least, in ms. */
export interface SignsOfDeath {
  /** If its session has ended as well. */
  readonly silentForMs: number;
  /** Whatever the state of its session. Undefined: such a worker cannot be declared dead yet. */
  readonly frozenForMs: number | undefined;
}

/** Five missed heartbeats: a worker that pauses for a second is not declared dead, and a dead one is detected soon. */
const silentForMs = 10_000;
/** A frozen worker still knows its outcomes, but its mail cannot wait for it forever. */
const frozenForMs = 60_000;
/** After an outage other workers may take longer to return: a new connection may wait 10 seconds for its reply. */
const allAreBackAfterMs = 30_000;

/**
 * How silent another worker must be to count as dead, if this worker has reached the database for `steadyForMs` without
 * a break. After an outage every heartbeat is old, so the result is undefined: no worker can be declared dead yet.
 */
export function signsOfDeath(steadyForMs: number): SignsOfDeath | undefined {
  if (steadyForMs < silentForMs) return undefined;
  return { silentForMs, frozenForMs: steadyForMs < allAreBackAfterMs ? undefined : frozenForMs };
}
