import { Notice, quotedName } from '#kernel';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits before tries 2 to 8 (docs/wire-contract.md section 22.2). The first try is made at once. */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

export const maxTries = waits.length + 1;

/** A wait is longer by up to this share, so that messages that failed together are not retried together. */
const jitter = 0.1;

/** The time of the next try after `tries` failures (from 1); undefined if that was the last try. */
export function nextTryAt(tries: number, now: Date, random: number): Date | undefined {
  const wait = waits[tries - 1];
  return wait === undefined ? undefined : new Date(now.getTime() + wait * (1 + jitter * random));
}

/** After this many failures in a row the endpoint counts as down: the cause is not a single message. */
const downAfter = 8;
const minPauseMs = 5 * second;
const maxPauseMs = 5 * minute;
/**
 * A pause lasts a tenth of the time since the first failure, so that an endpoint that only restarts is soon called
 * again.
 */
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

export interface DisabledEndpoint {
  readonly id: string;
  readonly endpoint: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly failingSince: Date;
  /** HTTP status of the last call; 0 if there was no response. */
  readonly lastStatus: number;
}

/** The key is new each time the endpoint is disabled. The path and query of the URL may be secret and are left out. */
export function disabledNotice({ id, endpoint, failingSince, ...rest }: DisabledEndpoint): Notice {
  const { host, origin } = new URL(endpoint);
  return {
    key: `webhook-disabled:${id}:${failingSince.toISOString()}`,
    owner: rest.teamId,
    subject: `Postrider disabled a webhook endpoint at ${host}`,
    text: [
      `Every call to a webhook endpoint has failed for ${disableAfterDays} days, so it was disabled. Its events are kept for a month.`,
      [
        `Endpoint: ${origin}`,
        `Webhook: ${id}`,
        `Team: ${quotedName(rest.teamName)} (${rest.teamId})`,
        `Failing since: ${failingSince.toISOString()}`,
        `Last response: ${rest.lastStatus === 0 ? 'none' : `HTTP status ${rest.lastStatus}`}`,
      ].join('\n'),
      `Once it works again, enable it: PATCH /webhooks/${id} with {"status": "enabled"}. The events it missed are then sent.`,
    ].join('\n\n'),
  };
}
