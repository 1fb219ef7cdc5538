import { Injectable } from '@nestjs/common';
import { OwnedDomains, ServiceNames } from '#domains';
import { type TeamAddress, TeamAddresses } from '#inbound';
import { domainOf } from '#kernel';
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

/** Tells addresses of inboxes from others. Asked for recipients of strangers, and answered from a cache. */
@Injectable()
export class InboxAddresses {
  constructor(private readonly inboxes: InboxRepository) {}

  /** Whether the team has an inbox with this address. A tag behind a `+` belongs to the address without it. */
  async has(teamId: string, recipient: string): Promise<boolean> {
    const address = recipient.toLowerCase();
    const addresses = await this.inboxes.addresses(teamId);
    return addresses.has(address) || addresses.has(withoutTag(address));
  }
}

/** Like the function `file_received_emails`. */
function withoutTag(address: string): string {
  const plus = address.indexOf('+');
  const at = address.lastIndexOf('@');
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address;
}
