import { clientKey, clientNetwork, Clock, DomainError } from '#kernel';
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
  private readonly registrations = countersOf({ max: 20, windowMs: 60 * minuteMs });
  private readonly tokens = countersOf({ max: 300, windowMs: minuteMs });

  constructor(private readonly clock: Clock) {}

  takeRegistration(request: FastifyRequest): void {
    this.take(this.registrations, request);
  }

  takeToken(request: FastifyRequest): void {
    this.take(this.tokens, request);
  }

  /** One person easily has a thousand networks (/64) of IPv6: the site (/48) is counted as well. */
  private take({ address, site }: Counters, { ip }: FastifyRequest): void {
    const [now, network] = [this.clock.now().getTime(), clientNetwork(ip)];
    const ofSite = (): number | undefined => (network.includes(':') ? site.take(network, now) : undefined);
    const waitSeconds = address.take(clientKey(ip), now) ?? ofSite();
    if (waitSeconds === undefined) return;
    throw new DomainError(
      'limited',
      'too_many_attempts',
      'Too many requests. Wait a while, then try again.',
      waitSeconds,
    );
  }
}

interface Counters {
  readonly address: AttemptCounters;
  readonly site: AttemptCounters;
}

function countersOf({ max, windowMs }: { readonly max: number; readonly windowMs: number }): Counters {
  return {
    address: new AttemptCounters({ max, windowMs, maxKeys }),
    site: new AttemptCounters({ max: 3 * max, windowMs, maxKeys }),
  };
}
