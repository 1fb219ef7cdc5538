import { Clock } from '#kernel';
import { RateLimiter } from '../application/ports/rate-limiter.port.js';
import { RateDecision, windowMs } from '../domain/rate-decision.js';

/** Counts in memory: exact, for a program that runs as one process. */
export class InProcessRateLimiter extends RateLimiter {
  private window = 0;
  private used = new Map<string, number>();

  constructor(
    readonly limit: number,
    private readonly clock: Clock,
  ) {
    super();
  }

  async take(teamId: string): Promise<RateDecision> {
    const now = this.clock.now().getTime();
    const window = Math.floor(now / windowMs);
    if (window !== this.window) {
      this.window = window;
      this.used = new Map();
    }
    const used = this.used.get(teamId) ?? 0;
    const allowed = used < this.limit;
    if (allowed) this.used.set(teamId, used + 1);
    return { allowed, limit: this.limit, remaining: Math.max(0, this.limit - used - 1), resetSeconds: 1 };
  }
}
