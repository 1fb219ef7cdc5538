import { Admission } from '#http/server';
import { whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RateLimiter } from '../../application/ports/rate-limiter.port.js';
import { RateDecision, RateLimitExceededError, windowMs } from '../../domain/limits.js';

/**
 * Applies the rate limit to HTTP requests and sets the headers of the IETF draft on every response
 * (docs/wire-contract.md section 5).
 */
@Injectable()
export class RateLimitAdmission extends Admission {
  constructor(private readonly rateLimiter: RateLimiter) {
    super();
  }

  admit(teamId: string, reply: FastifyReply): MaybePromise<void> {
    return whenKnown(this.rateLimiter.take(teamId), (decision) => answer(decision, reply));
  }
}

function answer({ allowed, limit, remaining, resetSeconds }: RateDecision, reply: FastifyReply): void {
  void reply.headers({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
    'ratelimit-policy': `${limit};w=${windowMs / 1_000}`,
  });
  if (allowed) return;
  void reply.header('retry-after', String(resetSeconds));
  throw new RateLimitExceededError(limit);
}
