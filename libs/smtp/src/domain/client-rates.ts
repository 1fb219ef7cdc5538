/** After this many failures the next one closes the connection. */
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
  /** How long the reply is delayed, in ms. */
  readonly delayMs: number;
  /** Whether the connection must be closed. */
  readonly isTooMany: boolean;
}

/**
 * Slows down guessing of keys: the reply to each failed login from an address is delayed longer than the one before,
 * over all its connections. Keys cannot be guessed in any case; this limits the cost of attempts. It never delays a
 * valid key, so that nobody can lock out others who share an address.
 */
export class LoginThrottle {
  private readonly failures = new Map<string, Failures>();

  failed(address: string, nowMs: number): FailedLogin {
    const count = this.current(address, nowMs) + 1;
    // Deleted first, so that the map is ordered by the last failure and the oldest entry is removed first.
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

const windowMs = 60_000;

interface Window {
  readonly startedAt: number;
  count: number;
}

/** Limits the messages that one client sends in a minute. */
export class VisitRate {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly maxPerMinute: number) {}

  /** False if the limit is exceeded. */
  take(address: string, nowMs: number): boolean {
    const window = this.windows.get(address);
    if (window !== undefined && nowMs - window.startedAt < windowMs) return ++window.count <= this.maxPerMinute;
    // Deleted first, so that the map is ordered by the start of the window and the oldest entry is removed first.
    this.windows.delete(address);
    this.windows.set(address, { startedAt: nowMs, count: 1 });
    if (this.windows.size > maxAddresses) this.windows.delete(this.windows.keys().next().value as string);
    return true;
  }
}
