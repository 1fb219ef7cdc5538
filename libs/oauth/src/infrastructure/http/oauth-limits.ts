import { clientKey, Clock, DomainError } from '#kernel';
import { AttemptCounters } from '#accounts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const minuteMs = 60_000;
const maxKeys = 50_000;

/**
 * Limits by the address of the client: registrations leave rows, and tokens may be guessed. Each process counts by
 * itself.
 */
@Injectable()
export class OAuthLimits {
  private readonly registrations = new AttemptCounters({ max: 20, windowMs: 60 * minuteMs, maxKeys });
  private readonly tokens = new AttemptCounters({ max: 300, windowMs: minuteMs, maxKeys });

  constructor(private readonly clock: Clock) {}

  takeRegistration(request: FastifyRequest): void {
    this.take(this.registrations, request);
  }

  takeToken(request: FastifyRequest): void {
    this.take(this.tokens, request);
  }

  private take(counters: AttemptCounters, { ip }: FastifyRequest): void {
    const waitSeconds = counters.take(clientKey(ip), this.clock.now().getTime());
    if (waitSeconds === undefined) return;
    throw new DomainError(
      'limited',
      'too_many_attempts',
      'Too many requests. Wait a while, then try again.',
      waitSeconds,
    );
  }
}
