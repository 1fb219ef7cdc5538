import { RateDecision } from '../../domain/rate-decision.js';

/**
 * Counts a team's requests against its limit, whichever door they come through and whichever process takes them.
 *
 * In no window are more requests allowed than the limit, over all processes that share the limiter's state. Fewer may
 * be, where a process keeps a part of the window that it does not use.
 */
export abstract class RateLimiter {
  abstract readonly limit: number;

  /** Takes one request out of the window, or says that there is none left. Costs no round trip in the common case. */
  abstract take(teamId: string): Promise<RateDecision>;
}
