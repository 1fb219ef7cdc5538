/** How long another worker has to have been silent to count as dead, in ms. */
export interface SignsOfDeath {
  /** Where its session has ended as well. */
  readonly silentForMs: number;
  /** Whatever its session says. Undefined: it cannot be told yet. */
  readonly frozenForMs: number | undefined;
}

/** Five missed beats: a worker that pauses for a second is not declared dead, and a dead one is not waited for long. */
const silentForMs = 10_000;
/** A worker that stands still without having died knows what it has done, but its mail cannot wait for it for ever. */
const frozenForMs = 60_000;
/** After an outage the others may take longer to come back: a connection that is being made waits 10 seconds for its answer. */
const allAreBackAfterMs = 30_000;

/**
 * What a worker may conclude from the silence of another one, having itself reached the database for `steadyForMs` without a
 * break. After an outage every heartbeat is old. Undefined: nothing yet.
 */
export function signsOfDeath(steadyForMs: number): SignsOfDeath | undefined {
  if (steadyForMs < silentForMs) return undefined;
  return { silentForMs, frozenForMs: steadyForMs < allAreBackAfterMs ? undefined : frozenForMs };
}
