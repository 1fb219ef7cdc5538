const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** After this many failures in a row the endpoint counts as down: the cause is not a single message. */
const downAfter = 8;
const minPauseMs = 5 * second;
const maxPauseMs = 5 * minute;
/** A pause lasts a tenth of the time since the first failure, so that an endpoint that only restarts is soon called again. */
const pauseShare = 0.1;
/** An endpoint that only fails for this long is disabled. */
export const disableAfterDays = 5;
/** After a longer time without a call, the period of failures starts again: the endpoint may have worked in between. */
const maxSilenceMs = 24 * hour;

/** The failures of an endpoint since its last success. */
export interface EndpointHealth {
  readonly failures: number;
  /** First failure since the last success; null if there is none. */
  readonly failingSince: Date | null;
  readonly lastFailureAt: Date | null;
  /** If set, the endpoint is down. From this time on one message is sent as a probe, and all others wait. */
  readonly probeAt: Date | null;
}

export const healthy: EndpointHealth = { failures: 0, failingSince: null, lastFailureAt: null, probeAt: null };

/** The health after `failures` more failures without a success. `random` is from 0 to 1. */
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
