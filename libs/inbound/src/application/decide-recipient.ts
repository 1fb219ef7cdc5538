import { ReceivingDomains } from '#domains';
import { RoomForMail } from '#emails';
import { InboundRecipient, MailRefusal } from '#smtp';
import { Injectable } from '@nestjs/common';
import { RecipientRouting, TeamAddresses } from './ports/inbound-routing.port.js';
import { ServiceMailbox, ServiceMailboxes } from './ports/service-mailbox.port.js';

export interface TeamRecipient extends InboundRecipient {
  readonly isOfService?: false;
  readonly teamId: string;
  readonly domainId: string;
  readonly announce: boolean;
  readonly act: boolean;
  /** Answered with 250, and not kept. */
  readonly discard: boolean;
}

/** A recipient that is an address of the service itself. */
export interface ServiceRecipient extends InboundRecipient {
  readonly isOfService: true;
  readonly mailbox: ServiceMailbox;
}

interface GivenRecipient {
  readonly address: string;
  readonly domain: string;
}

/** Decides on each recipient before the content of a message is sent. */
@Injectable()
export class DecideRecipient {
  constructor(
    private readonly mailboxes: ServiceMailboxes,
    private readonly domains: ReceivingDomains,
    private readonly routing: RecipientRouting,
    private readonly addresses: TeamAddresses,
    private readonly room: RoomForMail,
  ) {}

  /** Undefined if the domain receives no mail here. Throws the refusal of a recipient that gets none. */
  async decide(mailFrom: string, given: GivenRecipient): Promise<ServiceRecipient | TeamRecipient | undefined> {
    const mailbox = await this.mailboxes.for(given.address, mailFrom);
    if (mailbox === undefined) return this.decideForTeam(mailFrom, given);
    return { address: given.address, isOfService: true, mailbox };
  }

  /** The same, without the addresses of the service itself. */
  async decideForTeam(mailFrom: string, { address, domain: name }: GivenRecipient): Promise<TeamRecipient | undefined> {
    const domain = await this.domains.find(name);
    if (domain === undefined) return this.decideAtService(address);
    const refusal = refusalOfRecipient(domain, address);
    if (refusal !== undefined) throw new MailRefusal(refusal.replyCode, refusal.enhancedCode, refusal.text);
    this.room.check();
    const { id: domainId, teamId } = domain;
    const decision = await this.routing.decide({ teamId, domainId, recipient: address, mailFrom });
    switch (decision.kind) {
      case 'accept':
        return { address, teamId, domainId, announce: decision.announce, act: decision.act, discard: false };
      case 'discard':
        return { address, teamId, domainId, announce: false, act: false, discard: true };
      case 'reject':
        throw new MailRefusal(550, decision.enhancedCode ?? '5.1.1', decision.text);
      case 'temporary':
        throw new MailRefusal(451, '4.3.0', decision.text);
    }
  }

  /** An address of a team at a host of this service. No route is for it. */
  private async decideAtService(address: string): Promise<TeamRecipient | undefined> {
    const owner = await this.addresses.find(address);
    if (owner === undefined) return undefined;
    this.room.check();
    const { teamId, domainId } = owner;
    return { address, teamId, domainId, announce: true, act: false, discard: false };
  }
}

export interface RecipientRefusal {
  readonly replyCode: 451 | 550;
  readonly enhancedCode: string;
  readonly text: string;
}

/**
 * Why a domain that receives here takes no mail for an address, before any route is asked. Undefined if it does.
 *
 * `x%elsewhere@ours` and `x!elsewhere@ours` once asked a server to pass mail on to another one. Routes hand recipients
 * to servers of teams as they were given, and such a server, which trusts this one, may still do so.
 */
export function refusalOfRecipient(
  domain: { readonly name: string; readonly isProven: boolean },
  address: string,
): RecipientRefusal | undefined {
  // The owner is publishing the records: the mail may wait until they are seen.
  if (!domain.isProven) {
    return { replyCode: 451, enhancedCode: '4.7.1', text: `${domain.name} is not verified yet, try again later` };
  }
  if (/[%!]/.test(address.slice(0, address.lastIndexOf('@')))) {
    return {
      replyCode: 550,
      enhancedCode: '5.7.1',
      text: 'No mail is taken for addresses with % or !, which name another server',
    };
  }
  return undefined;
}
