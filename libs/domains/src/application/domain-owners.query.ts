import { Injectable } from '@nestjs/common';
import { DomainRepository } from './ports/domain-repository.port.js';

/** Tells which team owns a domain name. A name belongs to one team. */
@Injectable()
export class DomainOwners {
  constructor(private readonly domains: DomainRepository) {}

  async teamOf(domainName: string): Promise<string | undefined> {
    return (await this.domains.findOwned(domainName))?.teamId;
  }

  /** Number of domains of the team. */
  count(teamId: string): Promise<number> {
    return this.domains.countOf(teamId);
  }
}
