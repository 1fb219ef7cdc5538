import { DomainOwnership } from '#identity';
import { Injectable } from '@nestjs/common';
import { dkimRecord, Domain, returnPathHost } from '../domain/domain.js';
import { DomainRepository } from './ports/domain-repository.port.js';

/**
 * Which domain a name belongs to, and which team a domain. A name belongs to one team. Answered from a cache of a few
 * seconds.
 */
@Injectable()
export class OwnedDomains extends DomainOwnership {
  constructor(private readonly domains: DomainRepository) {
    super();
  }

  async teamOf(domainName: string): Promise<string | undefined> {
    return (await this.domains.findOwned(domainName))?.teamId;
  }

  async isOwnedBy(teamId: string, domainId: string): Promise<boolean> {
    return (await this.domains.findById(domainId))?.teamId === teamId;
  }

  /** The domain with this name, and the team that has it. */
  async named(domainName: string): Promise<Pick<Domain, 'id' | 'teamId'> | undefined> {
    return this.domains.findOwned(domainName);
  }

  /** Number of domains of the team. */
  count(teamId: string): Promise<number> {
    return this.domains.countOf(teamId);
  }

  /** The domain to which a host for bounces belongs; undefined for any other host. */
  async ofReturnPath(host: string): Promise<Domain | undefined> {
    const domain = await this.domains.findOwned(host.slice(host.indexOf('.') + 1));
    const isHost = domain?.sending === true && !domain.sandbox && returnPathHost(domain) === host;
    return isHost ? domain : undefined;
  }

  /** The TXT record at `<selector>._domainkey.<domainName>` as the DNS should have it; undefined if we have no such key. */
  async dkimRecord(selector: string, domainName: string): Promise<string | undefined> {
    const key = await this.domains.findPublicKey(domainName.toLowerCase(), selector);
    return key === undefined ? undefined : dkimRecord(key);
  }
}
