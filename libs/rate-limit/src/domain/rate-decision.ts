import { DomainError } from '#kernel';

/** Whether one more request of a team fits into the current window, and what is left of the window. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Requests per window. */
  readonly limit: number;
  /** What this process knows to be left: with several processes it may be more, never less. */
  readonly remaining: number;
  /** Whole seconds until the window ends, rounded up. */
  readonly resetSeconds: number;
}

/** Windows are fixed and one second long (docs/wire-contract.md section 5). */
export const windowMs = 1_000;

export class RateLimitExceededError extends DomainError {
  constructor(limit: number) {
    super(
      'limited',
      'rate_limit_exceeded',
      `Too many requests. You can only make ${limit} requests per second. Wait for \`retry-after\` seconds and try again.`,
    );
  }
}
