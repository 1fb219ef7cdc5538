import { RateLimiter } from '../application/ports/rate-limiter.port.js';
import { WindowLeases } from '../application/ports/window-leases.port.js';
import { RateDecision, windowMs } from '../domain/rate-decision.js';

/** The part of a window that this process may give away by itself. */
interface Lease {
  left: number;
  /** What no process had taken when the lease was granted. */
  readonly untaken: number;
  /** On this process's monotonic clock. */
  readonly endsAt: number;
}

/** A twentieth of the limit per round trip: at most about twenty questions a second and process for a busy team. */
const leasesPerWindow = 20;
/** A store that takes longer than a window to answer grants leases that are over before they arrive. */
const maxLateLeases = 5;
const maxTeams = 10_000;

/**
 * For several processes that share their windows. Each leases portions of the current window and gives them away without asking
 * anyone: as much as requests are waiting, at least a twentieth of the limit, of the last of a window half, down to one.
 *
 * Exact upwards: portions are granted one after the other from the limit of a window on a clock that all share, and
 * are not used once that window is over, counted from before the question was sent. Downwards, a window may end with
 * portions unused in other processes, a twentieth of the limit each at most.
 */
export class SharedRateLimiter extends RateLimiter {
  private readonly leases = new Map<string, Lease>();
  private readonly renewals = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, number>();

  constructor(
    readonly limit: number,
    private readonly windows: WindowLeases,
  ) {
    super();
  }

  async take(teamId: string): Promise<RateDecision> {
    return this.takeLeased(teamId) ?? (await this.takeRenewed(teamId));
  }

  /** Undefined where this process has no lease to decide by. */
  private takeLeased(teamId: string): RateDecision | undefined {
    const lease = this.leases.get(teamId);
    if (lease === undefined || performance.now() >= lease.endsAt) return undefined;
    if (lease.left > 0) return this.decision(true, --lease.left + lease.untaken);
    return lease.untaken === 0 ? this.decision(false, 0) : undefined;
  }

  private async takeRenewed(teamId: string): Promise<RateDecision> {
    this.waiting.set(teamId, (this.waiting.get(teamId) ?? 0) + 1);
    try {
      for (let late = 0; late < maxLateLeases;) {
        await this.renewOnce(teamId);
        const decision = this.takeLeased(teamId);
        if (decision !== undefined) return decision;
        if (performance.now() >= (this.leases.get(teamId)?.endsAt ?? 0)) late++;
      }
      return this.decision(false, 0);
    } finally {
      this.stopWaiting(teamId);
    }
  }

  private stopWaiting(teamId: string): void {
    const others = (this.waiting.get(teamId) ?? 1) - 1;
    if (others > 0) this.waiting.set(teamId, others);
    else this.waiting.delete(teamId);
  }

  private decision(allowed: boolean, remaining: number): RateDecision {
    return { allowed, limit: this.limit, remaining, resetSeconds: 1 };
  }

  /** Requests that run out of the same lease at once ask once. */
  private renewOnce(teamId: string): Promise<void> {
    const underWay = this.renewals.get(teamId);
    if (underWay !== undefined) return underWay;
    const renewal = this.renew(teamId).finally(() => this.renewals.delete(teamId));
    this.renewals.set(teamId, renewal);
    return renewal;
  }

  private async renew(teamId: string): Promise<void> {
    const askedAt = performance.now();
    const portion = Math.ceil(this.limit / leasesPerWindow);
    const waiting = this.waiting.get(teamId) ?? 1;
    const { granted, used, endsInMs } = await this.windows.lease(teamId, { limit: this.limit, portion, waiting });
    if (this.leases.size >= maxTeams) this.leases.clear();
    this.leases.set(teamId, {
      left: granted,
      untaken: Math.max(0, this.limit - used),
      endsAt: askedAt + Math.min(endsInMs, windowMs),
    });
  }
}
