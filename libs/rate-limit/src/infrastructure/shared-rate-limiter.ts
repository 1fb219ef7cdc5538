import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiter, WindowLeases } from '../application/ports/rate-limiter.port.js';
import { RateDecision, windowMs } from '../domain/limits.js';

/** The part of a window that this process may grant without a round trip. */
interface Lease {
  /** The team's limit when this lease was granted. An operator may change it. */
  readonly limit: number;
  left: number;
  /** Requests of the window that no process had leased when this lease was granted. */
  readonly untaken: number;
  /** End of the window on this process's monotonic clock (ms). */
  readonly endsAt: number;
}

/**
 * Each round trip leases a twentieth of the limit, so a busy team costs each process about twenty round trips a second
 * at most.
 */
const leasesPerWindow = 20;
/**
 * Number of leases that may be expired on arrival before a request is refused. Leases expire on arrival where the store
 * takes longer than a window to respond.
 */
const maxLateLeases = 5;
/** Leases of the last millisecond of a window are over when they arrive; after this wait the next window has begun. */
const clockStepMs = 1;
const maxTeams = 10_000;

/**
 * For several processes that share their windows. Each process leases portions of the current window and grants them
 * without a round trip. A portion covers the waiting requests, or else is a twentieth of the limit, but at most half of
 * what is left of the window, and at least one request.
 *
 * Never grants more than the limit: the store grants portions one after the other from the limit of a window by one
 * shared clock, and a process stops using a portion when that window has ended, measured from before it sent its
 * request. May grant less: at the end of a window other processes may have unused portions, each a twentieth of the
 * limit at most.
 */
export class SharedRateLimiter extends RateLimiter {
  private readonly leases = new Map<string, Lease>();
  private readonly renewals = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, number>();

  constructor(
    readonly limit: number,
    private readonly windows: WindowLeases,
    private readonly ownLimitOf: (teamId: string) => number | null = () => null,
  ) {
    super();
  }

  override limitOf(teamId: string): number {
    return this.ownLimitOf(teamId) ?? this.limit;
  }

  async take(teamId: string): Promise<RateDecision> {
    return this.takeLeased(teamId) ?? (await this.takeAfterRenewal(teamId));
  }

  /** Undefined if this process has no lease that decides. */
  private takeLeased(teamId: string): RateDecision | undefined {
    const lease = this.leases.get(teamId);
    if (lease === undefined || lease.limit !== this.limitOf(teamId)) return undefined;
    if (performance.now() >= lease.endsAt) return undefined;
    if (lease.left > 0) return this.decision(teamId, true, --lease.left + lease.untaken);
    return lease.untaken === 0 ? this.decision(teamId, false, 0) : undefined;
  }

  private async takeAfterRenewal(teamId: string): Promise<RateDecision> {
    this.waiting.set(teamId, (this.waiting.get(teamId) ?? 0) + 1);
    try {
      for (let late = 0; late < maxLateLeases;) {
        await this.renewOnce(teamId);
        const decision = this.takeLeased(teamId);
        if (decision !== undefined) return decision;
        if (performance.now() < (this.leases.get(teamId)?.endsAt ?? 0)) continue;
        late++;
        await delay(clockStepMs);
      }
      return this.decision(teamId, false, 0);
    } finally {
      this.stopWaiting(teamId);
    }
  }

  private stopWaiting(teamId: string): void {
    const others = (this.waiting.get(teamId) ?? 1) - 1;
    if (others > 0) this.waiting.set(teamId, others);
    else this.waiting.delete(teamId);
  }

  private decision(teamId: string, allowed: boolean, remaining: number): RateDecision {
    return { allowed, limit: this.limitOf(teamId), remaining, resetSeconds: 1 };
  }

  /** Concurrent requests of a team share one renewal. */
  private renewOnce(teamId: string): Promise<void> {
    const pending = this.renewals.get(teamId);
    if (pending !== undefined) return pending;
    const renewal = this.renew(teamId).finally(() => this.renewals.delete(teamId));
    this.renewals.set(teamId, renewal);
    return renewal;
  }

  private async renew(teamId: string): Promise<void> {
    const requestedAt = performance.now();
    const limit = this.limitOf(teamId);
    const portion = Math.ceil(limit / leasesPerWindow);
    const waiting = this.waiting.get(teamId) ?? 1;
    const { granted, used, endsInMs } = await this.windows.lease(teamId, { limit, portion, waiting });
    if (this.leases.size >= maxTeams) this.leases.clear();
    this.leases.set(teamId, {
      limit,
      left: granted,
      untaken: Math.max(0, limit - used),
      endsAt: requestedAt + Math.min(endsInMs, windowMs),
    });
  }
}
