import type { MaybePromise } from '#kernel';
import { RateDecision } from '../../domain/limits.js';

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
  abstract take(teamId: string): MaybePromise<RateDecision>;
}

export interface LeaseRequest {
  /** Requests that a team may make per window. */
  readonly limit: number;
  /** Requests to grant where enough of the window is left. */
  readonly portion: number;
  /** Requests that wait for this lease: that many are granted if they are left, even above `portion`. */
  readonly waiting: number;
}

export interface GrantedLease {
  readonly granted: number;
  /** Requests of the window that all processes together have been granted. */
  readonly used: number;
  /** Milliseconds until the window ends, on the clock that all processes share. */
  readonly endsInMs: number;
}

/**
 * Shares the windows of teams between processes. Leases are granted one after the other, so that together they never
 * exceed the limit of a window. A lease is `portion`, but at most half of the rest; where more requests wait, it is
 * enough for them, as far as the rest allows.
 */
export abstract class WindowLeases {
  abstract lease(teamId: string, request: LeaseRequest): Promise<GrantedLease>;
}
