import { DomainOwnership } from '#identity';
import { Injectable } from '@nestjs/common';
import { DomainRepository } from './ports/domain-repository.port.js';

@Injectable()
export class KnownDomainOwnership extends DomainOwnership {
  constructor(private readonly domains: DomainRepository) {
    super();
  }

  async isOwnedBy(teamId: string, domainId: string): Promise<boolean> {
    return (await this.domains.findById(domainId))?.teamId === teamId;
  }
}
