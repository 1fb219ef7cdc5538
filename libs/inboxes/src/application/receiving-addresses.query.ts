import { OwnedDomains, ServiceNames } from '#domains';
import { TeamAddresses } from '#inbound';
import type { TeamAddress } from '#inbound';
import { domainOf } from '#kernel';
import { Injectable } from '@nestjs/common';
import { mayReceive } from '../domain/inbox-fields.js';
import { InboxRepository } from './ports/inbox-repository.port.js';

/** The receiving addresses of inboxes whose domain does not receive here. */
@Injectable()
export class ReceivingAddresses extends TeamAddresses {
  private readonly hosts: ReadonlySet<string>;

  constructor(
    private readonly inboxes: InboxRepository,
    private readonly domains: OwnedDomains,
    names: ServiceNames,
  ) {
    super();
    this.hosts = new Set(names.regions.map((region) => names.hostsOf(region).host.toLowerCase()));
  }

  async find(recipient: string): Promise<TeamAddress | undefined> {
    const address = recipient.toLowerCase();
    if (!mayReceive(address) || !this.hosts.has(domainOf(address))) return undefined;
    const inbox = await this.inboxes.ofReceivingAddress(address);
    // The domain may have been removed since, belong to another team, or have been added again.
    const domain = inbox && (await this.domains.named(domainOf(inbox.address)));
    return domain?.teamId === inbox?.teamId ? domain && { teamId: domain.teamId, domainId: domain.id } : undefined;
  }
}
