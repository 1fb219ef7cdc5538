import { GrantedLease, LeaseRequest, WindowLeases } from '../application/ports/rate-limiter.port.js';

/** How long a failed store is not tried again, so that not every request waits for its timeout. */
const retryAfterMs = 1_000;

/**
 * Leases from Redis, and from PostgreSQL while Redis does not respond. The two do not share their counts: in the second
 * in which Redis fails, returns or loses its data, a team may have up to twice its limit. Refusing mail instead would
 * be worse.
 */
export class FallbackWindowLeases extends WindowLeases {
  private firstFailedUntil = -Infinity;

  constructor(
    private readonly first: WindowLeases,
    private readonly second: WindowLeases,
  ) {
    super();
  }

  async lease(teamId: string, request: LeaseRequest): Promise<GrantedLease> {
    if (performance.now() < this.firstFailedUntil) return this.second.lease(teamId, request);
    try {
      return await this.first.lease(teamId, request);
    } catch {
      this.firstFailedUntil = performance.now() + retryAfterMs;
      return this.second.lease(teamId, request);
    }
  }
}
