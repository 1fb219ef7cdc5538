import { Injectable } from '@nestjs/common';
import { DomainRepository } from './ports/domain-repository.port.js';

/** Tells whose domain a name is. A name belongs to one team. */
@Injectable()
export class DomainOwners {
  constructor(private readonly domains: DomainRepository) {}

  async teamOf(domainName: string): Promise<string | undefined> {
    return (await this.domains.findOwned(domainName))?.teamId;
  }

  /** How many domains the team has. */
  count(teamId: string): Promise<number> {
    return this.domains.countOf(teamId);
  }
}
