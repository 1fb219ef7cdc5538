/** Pause before the next attempt to connect to Redis, at most one second. */
export function reconnectAfterMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), 1_000);
}
