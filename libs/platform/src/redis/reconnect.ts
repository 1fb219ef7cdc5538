/** How long to wait before the next attempt to reach Redis: it is back for us within a second of being back. */
export function reconnectAfterMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), 1_000);
}
