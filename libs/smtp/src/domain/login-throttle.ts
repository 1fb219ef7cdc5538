/** After so many failures the connection of the next one is closed. */
const maxFailures = 30;
const rememberMs = 10 * 60_000;
const firstDelayMs = 100;
const maxDelayMs = 10_000;
const maxAddresses = 10_000;

interface Failures {
  count: number;
  lastAt: number;
}

export interface FailedLogin {
  /** How long the answer is to be held back, in ms. */
  readonly delayMs: number;
  /** The connection is not worth keeping. */
  readonly isTooMany: boolean;
}

/**
 * Makes guessing keys slow: each failed login from an address is answered later than the one before, whichever
 * connection it comes over. Keys cannot be guessed anyhow; this keeps those who try from costing much. It never stands
 * in the way of a right key, so that nobody can lock out others who share an address.
 */
export class LoginThrottle {
  private readonly failures = new Map<string, Failures>();

  failed(address: string, nowMs: number): FailedLogin {
    const count = this.current(address, nowMs) + 1;
    // Deleted first, so that the map's order is that of the last failure and the oldest goes first.
    this.failures.delete(address);
    this.failures.set(address, { count, lastAt: nowMs });
    if (this.failures.size > maxAddresses) this.failures.delete(this.failures.keys().next().value as string);
    return { delayMs: Math.min(firstDelayMs * 2 ** (count - 1), maxDelayMs), isTooMany: count > maxFailures };
  }

  private current(address: string, nowMs: number): number {
    const entry = this.failures.get(address);
    return entry === undefined || nowMs - entry.lastAt > rememberMs ? 0 : entry.count;
  }
}
