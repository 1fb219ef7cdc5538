import { Injectable } from '@nestjs/common';
import { Domain, returnPathHost } from '../domain/domain.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/** Finds the domain to which a host for bounces belongs. */
@Injectable()
export class ReturnPathHosts {
  constructor(private readonly domains: DomainRepository) {}

  /** Undefined for any other host. Answered from a cache of some seconds. */
  async domainAt(host: string): Promise<Domain | undefined> {
    const domain = await this.domains.findOwned(host.slice(host.indexOf('.') + 1));
    const isHost = domain?.sending === true && !domain.sandbox && returnPathHost(domain) === host;
    return isHost ? domain : undefined;
  }
}
