import { ReadDomains } from '#domains';
import type { Domain } from '#domains';
import { Clock, found } from '#kernel';
import { Injectable } from '@nestjs/common';
import { WarmedProvider, WarmUp, WarmUps } from './ports/warm-ups.port.js';

/** Providers that an answer names. */
const maxShown = 50;

export interface WarmUpState {
  readonly domain: Domain;
  /** Undefined if there is none. */
  readonly warmUp: WarmUp | undefined;
  readonly providers: readonly WarmedProvider[];
  readonly now: Date;
}

/** How far the warm-up of a domain is. */
@Injectable()
export class ReadWarmUp {
  constructor(
    private readonly domains: ReadDomains,
    private readonly warmUps: WarmUps,
    private readonly clock: Clock,
  ) {}

  /** Throws NotFoundError if the team has no such domain. */
  async of(teamId: string, domainId: string): Promise<WarmUpState> {
    const { domain } = found('Domain', await this.domains.find(teamId, domainId));
    const now = this.clock.now();
    const warmUp = await this.warmUps.of(domain.id);
    const providers = warmUp === undefined ? [] : await this.warmUps.providersOf(warmUp, now, maxShown);
    return { domain, warmUp, providers, now };
  }
}
