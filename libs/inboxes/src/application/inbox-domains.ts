import { DomainNotVerifiedError, OwnedDomains, ReceivingDomains, SendingDomains, ServiceNames } from '#domains';
import { Injectable } from '@nestjs/common';
import { ReceivingDisabledError } from '../domain/inbox-errors.js';
import { Inbox } from '../domain/inbox.js';
import { newReceivingAddress } from '../domain/inbox-fields.js';

/** The domain at which a new inbox has its address, and by which address its mail comes. */
@Injectable()
export class InboxDomains {
  constructor(
    private readonly receiving: ReceivingDomains,
    private readonly sending: SendingDomains,
    private readonly owned: OwnedDomains,
    private readonly names: ServiceNames,
  ) {}

  /** Throws DomainNotVerifiedError, ReceivingDisabledError, or what SendingDomains refuses. */
  async placeOf(
    teamId: string,
    name: string,
    isForwarded: boolean,
  ): Promise<Pick<Inbox, 'domainId' | 'receivingAddress'>> {
    if (!isForwarded) return { domainId: await this.receivingDomain(teamId, name), receivingAddress: null };
    const { id, region } = await this.sending.require(teamId, name);
    return { domainId: id, receivingAddress: newReceivingAddress(this.names.hostsOf(region).host.toLowerCase()) };
  }

  private async receivingDomain(teamId: string, name: string): Promise<string> {
    const domain = await this.receiving.find(name);
    if (domain?.teamId === teamId) {
      if (!domain.isProven) throw new DomainNotVerifiedError(name);
      return domain.id;
    }
    if ((await this.owned.teamOf(name)) === teamId) throw new ReceivingDisabledError(name);
    throw new DomainNotVerifiedError(name);
  }
}
