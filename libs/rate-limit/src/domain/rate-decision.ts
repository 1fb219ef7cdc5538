import { DomainError } from '#kernel';

/** Whether one more request of a team is allowed in the current window, and how many are left. */
export interface RateDecision {
  readonly allowed: boolean;
  /** Requests per window. */
  readonly limit: number;
  /** Requests that this process knows to be left. With several processes there may be more, never fewer. */
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
