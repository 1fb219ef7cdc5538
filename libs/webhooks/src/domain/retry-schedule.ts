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
