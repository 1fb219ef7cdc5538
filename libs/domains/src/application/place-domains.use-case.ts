import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { DomainRepository, maxMovedAtOnce, MovedDomain } from './ports/domain-repository.port.js';

/** Decides from which region the mail of domains leaves. The delivery lib moves what waits. */
@Injectable()
export class PlaceDomains {
  constructor(
    private readonly domains: DomainRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Lets another region send for the domains of a region that want that, or with null their own again. Resolves with the
   * number of domains whose mail leaves from elsewhere than before.
   */
  async standIn(region: string, standIn: string | null): Promise<number> {
    let all = 0;
    for (;;) {
      const moved = await this.domains.standIn(region, standIn, this.clock.now());
      all += moved;
      if (moved < maxMovedAtOnce) return all;
    }
  }

  /** Domains that have moved, and may still have mail in a former region: those that moved first, or the next after one. */
  moved(limit: number, after?: MovedDomain): Promise<readonly MovedDomain[]> {
    return this.domains.moved(limit, after);
  }

  settled(domains: readonly MovedDomain[]): Promise<void> {
    return this.domains.settled(domains);
  }
}
