/** After so many failures nobody from the address is heard until the oldest of them are forgotten. */
const mostFailures = 30;
const rememberMs = 10 * 60_000;
const firstDelayMs = 100;
const longestDelayMs = 10_000;
const mostAddresses = 10_000;

interface Failures {
  count: number;
  lastAt: number;
}

/**
 * Makes guessing keys slow: each failed login from an address is answered later than the one before, whichever
 * connection it comes over. Keys cannot be guessed anyhow; this keeps those who try from costing much.
 */
export class LoginThrottle {
  private readonly failures = new Map<string, Failures>();

  isBlocked(address: string, nowMs: number): boolean {
    return this.current(address, nowMs) >= mostFailures;
  }

  /** How long the answer is to be held back, in ms. */
  failed(address: string, nowMs: number): number {
    const count = this.current(address, nowMs) + 1;
    // Deleted first, so that the map's order is that of the last failure and the oldest goes first.
    this.failures.delete(address);
    this.failures.set(address, { count, lastAt: nowMs });
    if (this.failures.size > mostAddresses) this.failures.delete(this.failures.keys().next().value as string);
    return Math.min(firstDelayMs * 2 ** (count - 1), longestDelayMs);
  }

  succeeded(address: string): void {
    this.failures.delete(address);
  }

  private current(address: string, nowMs: number): number {
    const entry = this.failures.get(address);
    return entry === undefined || nowMs - entry.lastAt > rememberMs ? 0 : entry.count;
  }
}
