const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** So many calls in a row came to nothing: the endpoint is down, not the message. */
const downAfter = 8;
const minPauseMs = 5 * second;
const maxPauseMs = 5 * minute;
/** A pause lasts a tenth of the time that the endpoint has been failing: one that restarts is back at once. */
const pauseShare = 0.1;
/** Nothing but failures for so long, and the endpoint is disabled. */
export const disableAfterDays = 5;
/** What nobody has called for longer than this has not been failing all the time. */
const maxSilenceMs = 24 * hour;

/** How an endpoint has been doing since its last success. */
export interface EndpointHealth {
  readonly failures: number;
  /** First failure since the last success; null: none. */
  readonly failingSince: Date | null;
  readonly lastFailureAt: Date | null;
  /** Set: the endpoint is down. From then on one message is sent to see whether it still is, all others wait. */
  readonly probeAt: Date | null;
}

export const healthy: EndpointHealth = { failures: 0, failingSince: null, lastFailureAt: null, probeAt: null };

/** After so many more failures without any success. */
export function healthAfterFailures(
  before: EndpointHealth,
  failures: number,
  now: Date,
  random: number,
): EndpointHealth {
  const silent = before.lastFailureAt !== null && now.getTime() - before.lastFailureAt.getTime() > maxSilenceMs;
  const failingSince = before.failingSince === null || silent ? now : before.failingSince;
  const total = before.failures + failures;
  const failingFor = now.getTime() - failingSince.getTime();
  const pause = Math.min(Math.max(failingFor * pauseShare, minPauseMs), maxPauseMs) * (0.9 + 0.2 * random);
  return {
    failures: total,
    failingSince,
    lastFailureAt: now,
    probeAt: total < downAfter ? null : new Date(now.getTime() + pause),
  };
}

export function mustBeDisabled({ failingSince }: EndpointHealth, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= disableAfterDays * 24 * hour;
}
