import { GrantedLease, LeaseRequest, WindowLeases } from '../application/ports/window-leases.port.js';

/** How long a way that failed is not tried again: nobody is to wait for its timeout with every request. */
const restMs = 1_000;

/**
 * Windows in Redis, and in PostgreSQL while Redis is away. The two do not know of each other: in the second in which Redis
 * goes, comes back or is emptied, a team may have up to twice its limit. Refusing mail instead would be worse.
 */
export class FallbackWindowLeases extends WindowLeases {
  private restsUntil = -Infinity;

  constructor(
    private readonly first: WindowLeases,
    private readonly second: WindowLeases,
  ) {
    super();
  }

  async lease(teamId: string, request: LeaseRequest): Promise<GrantedLease> {
    if (performance.now() < this.restsUntil) return this.second.lease(teamId, request);
    try {
      return await this.first.lease(teamId, request);
    } catch {
      this.restsUntil = performance.now() + restMs;
      return this.second.lease(teamId, request);
    }
  }
}
