import { ReceivingDomains } from '#domains';
import { RoomForMail } from '#emails';
import { InboundRecipient, MailRefusal } from '#smtp';
import { Injectable } from '@nestjs/common';
import { RecipientRouting } from './ports/recipient-routing.port.js';

/** A recipient for which a message is accepted. */
export interface DecidedRecipient extends InboundRecipient {
  readonly teamId: string;
  readonly domainId: string;
  readonly announce: boolean;
  readonly act: boolean;
  /** Answered with 250, and not kept. */
  readonly discard: boolean;
}

/** Decides on each recipient before the content of a message is sent. */
@Injectable()
export class DecideRecipient {
  constructor(
    private readonly domains: ReceivingDomains,
    private readonly routing: RecipientRouting,
    private readonly room: RoomForMail,
  ) {}

  /** Undefined where the domain receives no mail here. Throws the refusal of a recipient that gets none. */
  async execute(
    mailFrom: string,
    { address, domain: name }: { readonly address: string; readonly domain: string },
  ): Promise<DecidedRecipient | undefined> {
    const domain = await this.domains.find(name);
    if (domain === undefined) return undefined;
    // The owner is publishing the records: the mail may wait until they are seen.
    if (!domain.isProven) throw new MailRefusal(451, '4.7.1', `${domain.name} is not verified yet, try again later`);
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
}
