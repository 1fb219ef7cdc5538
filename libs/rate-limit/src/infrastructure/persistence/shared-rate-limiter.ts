import { Database } from '#platform/database';
import { RateLimiter } from '../../application/ports/rate-limiter.port.js';
import { RateDecision, windowMs } from '../../domain/rate-decision.js';

/** The part of a window that this process may give away by itself. */
interface Lease {
  left: number;
  /** What no process had taken when the lease was granted. */
  readonly untaken: number;
  /** On this process's monotonic clock. */
  readonly endsAt: number;
}

type LeaseRow = { granted: number; used: number; endsInMs: number };

/** A twentieth of the limit per round trip: at most about twenty statements a second and process for a busy team. */
const leasesPerWindow = 20;
/** A database that takes longer than a window to answer grants leases that are over before they arrive. */
const mostRenewals = 5;
const mostTeams = 10_000;

/**
 * For several processes on one database. Each leases portions of the current window and gives them away without asking
 * anyone; near the end of the window the portions shrink to half of what is left, down to one.
 *
 * Exact upwards: portions are granted under the row's lock from the limit of the window of PostgreSQL's clock, and are
 * not used once that window is over, counted from before the question was sent. Downwards, a window may end with
 * portions unused in other processes, a twentieth of the limit each at most.
 */
export class SharedRateLimiter extends RateLimiter {
  private readonly leases = new Map<string, Lease>();
  private readonly renewals = new Map<string, Promise<void>>();

  constructor(
    readonly limit: number,
    private readonly database: Database,
  ) {
    super();
  }

  async take(teamId: string): Promise<RateDecision> {
    for (let renewed = 0; renewed <= mostRenewals; renewed++) {
      const lease = this.leases.get(teamId);
      if (lease !== undefined && performance.now() < lease.endsAt) {
        if (lease.left > 0) return this.decision(true, --lease.left + lease.untaken);
        if (lease.untaken === 0) return this.decision(false, 0);
      }
      await this.renewOnce(teamId);
    }
    return this.decision(false, 0);
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
    const [row] = await this.database.query<LeaseRow>({
      name: 'lease-rate-limit',
      text: leaseText,
      values: [teamId, Math.ceil(this.limit / leasesPerWindow), this.limit],
    });
    if (row === undefined) return;
    if (this.leases.size >= mostTeams) this.leases.clear();
    this.leases.set(teamId, {
      left: row.granted,
      untaken: Math.max(0, this.limit - row.used),
      endsAt: askedAt + Math.min(row.endsInMs, windowMs),
    });
  }
}

const leaseText = `
  INSERT INTO rate_limit_windows AS w (team_id, window_no, used, granted)
  SELECT $1, floor(extract(epoch FROM clock_timestamp())), first, first
  FROM (SELECT least($2::int, ceil($3::int / 2.0)::int) AS first) AS portion
  ON CONFLICT (team_id) DO UPDATE SET
    window_no = greatest(w.window_no, excluded.window_no),
    used = CASE WHEN excluded.window_no > w.window_no THEN excluded.used
                ELSE w.used + least($2::int, ceil(greatest($3::int - w.used, 0) / 2.0)::int) END,
    granted = CASE WHEN excluded.window_no > w.window_no THEN excluded.used
                   ELSE least($2::int, ceil(greatest($3::int - w.used, 0) / 2.0)::int) END
  RETURNING granted, used, ((window_no + 1 - extract(epoch FROM clock_timestamp())) * 1000)::float8 AS "endsInMs"`;
