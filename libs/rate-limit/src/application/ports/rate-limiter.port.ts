import { RateDecision } from '../../domain/rate-decision.js';

/**
 * Counts a team's requests against its limit, over HTTP and SMTP and over all processes.
 *
 * All processes that share the limiter's state together never allow more requests in a window than the limit. They may
 * allow fewer, if a process holds a part of the window that it does not use.
 */
export abstract class RateLimiter {
  /** Requests per window of a team without a limit of its own. */
  abstract readonly limit: number;

  limitOf(_teamId: string): number {
    return this.limit;
  }

  /** Counts one request, or says that the window is used up. Usually needs no round trip. */
  abstract take(teamId: string): Promise<RateDecision>;
}
