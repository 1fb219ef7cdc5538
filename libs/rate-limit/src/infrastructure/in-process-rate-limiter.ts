import { Clock } from '#kernel';
import { RateLimiter } from '../application/ports/rate-limiter.port.js';
import { RateDecision, windowMs } from '../domain/limits.js';

/** Counts in memory: exact, for a program that runs as one process. */
export class InProcessRateLimiter extends RateLimiter {
  private window = 0;
  private used = new Map<string, number>();

  constructor(
    readonly limit: number,
    private readonly clock: Clock,
    private readonly ownLimitOf: (teamId: string) => number | null = () => null,
  ) {
    super();
  }

  override limitOf(teamId: string): number {
    return this.ownLimitOf(teamId) ?? this.limit;
  }

  take(teamId: string): RateDecision {
    const now = this.clock.now().getTime();
    const window = Math.floor(now / windowMs);
    if (window !== this.window) {
      this.window = window;
      this.used = new Map();
    }
    const used = this.used.get(teamId) ?? 0;
    const limit = this.limitOf(teamId);
    const allowed = used < limit;
    if (allowed) this.used.set(teamId, used + 1);
    return { allowed, limit, remaining: Math.max(0, limit - used - 1), resetSeconds: 1 };
  }
}
