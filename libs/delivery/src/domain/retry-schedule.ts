/**
 * Waits before attempt 2, 3, ... in minutes. Minutes first, because greylisting servers want to see the message again
 * soon; hours later, because what has not mended in an hour rarely mends in a minute.
 */
const waits = [1, 3, 5, 10, 20, 30, 60, 90, 120, 180, 240];
/** RFC 5321 section 4.5.4.1 asks for four to five days; every large sender gives up sooner, and customers want to know. */
export const retryHorizonMs = 48 * 3_600_000;
const jitter = 0.2;
/** However late: a message that waited out a long stop of our own is still tried as greylisting servers want it. */
const minAttempts = 4;

/**
 * When to try again after attempt number `attempt` (from 1) failed for now, or undefined where it was the last one.
 *
 * Spread by up to a fifth in either direction, so that what failed together does not come back together. A receiver
 * that names its own time is waited for, but never beyond the horizon.
 */
export function nextAttemptAt(
  attempt: number,
  queuedAt: Date,
  now: Date,
  random: number,
  retryAfterSeconds = 0,
): Date | undefined {
  const minutes = waits[Math.min(attempt, waits.length) - 1] as number;
  const wait = Math.max(minutes * 60_000 * (1 - jitter + 2 * jitter * random), retryAfterSeconds * 1_000);
  const next = now.getTime() + wait;
  const isLate = next > queuedAt.getTime() + retryHorizonMs;
  return isLate && attempt >= minAttempts ? undefined : new Date(next);
}
