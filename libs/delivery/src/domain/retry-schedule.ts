/**
 * Waits before attempt 2, 3, ... in minutes. The first waits are minutes, because greylisting servers want to see the
 * message again soon. Later waits are hours, because trouble that lasts an hour rarely ends within a minute.
 */
const waits = [1, 3, 5, 10, 20, 30, 60, 90, 120, 180, 240];
/**
 * RFC 5321 section 4.5.4.1 asks for four to five days. Every large sender gives up sooner, and customers want to know.
 */
export const retryHorizonMs = 48 * 3_600_000;
const jitter = 0.2;
/** Applies however late the mail is: after a long outage of our own, greylisting servers still see enough attempts. */
const minAttempts = 4;

/**
 * When to try again after attempt number `attempt` (from 1) was deferred; undefined if it was the last one.
 *
 * The wait varies by up to a fifth in either direction, so that mail that failed together does not return together. A
 * time named by the receiver is honored, but never beyond the horizon.
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
