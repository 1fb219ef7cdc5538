import { OwnedDomains, sendingRegion } from '#domains';
import { ForwardMail } from '#emails';
import { ServiceMailbox, ServiceMailboxes } from '#inbound';
import type { ServiceMessage } from '#inbound';
import { Clock, DomainError, domainOf } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SenderRewriting } from '../domain/forwarding.js';

/** Bounces in prose have nothing else that tells them from other mail with the null sender. */
const programs = /^(?:mailer-daemon|postmaster)@/i;

class NotABounceError extends DomainError {
  constructor() {
    super('forbidden', 'validation_error', 'This address takes only bounces of a message that was passed on');
  }
}

/** A bounce of a bounce has no one to go to, and one that went through many servers is in a loop. */
const maxHops = 30;

/**
 * Takes bounces of mail that was passed on: they come to the rewritten sender, and go on to the original one. Only
 * senders that SPF proved are rewritten, so no bounce goes to someone who did not write.
 */
@Injectable()
export class ReturnBounces extends ServiceMailbox {
  override readonly passesOn = true;

  constructor(
    mailboxes: ServiceMailboxes,
    private readonly senders: SenderRewriting,
    private readonly hosts: OwnedDomains,
    private readonly forwardMail: ForwardMail,
    private readonly clock: Clock,
  ) {
    super(mailboxes);
  }

  /** Only bounces: with a sender, it would be mail for someone else that goes through this service. */
  async accepts(recipient: string, mailFrom: string): Promise<boolean> {
    if (mailFrom !== '' || !this.senders.isRewritten(recipient)) return false;
    if (this.senders.original(recipient, this.clock.now()) === undefined) return false;
    return (await this.hosts.ofReturnPath(domainOf(recipient).toLowerCase())) !== undefined;
  }

  async take({ id, digest, recipient, hops, isAutomatic, facts, content }: ServiceMessage): Promise<void> {
    if (!isAutomatic && !programs.test(facts.from)) throw new NotABounceError();
    const original = this.senders.original(recipient, this.clock.now());
    const domain = await this.hosts.ofReturnPath(domainOf(recipient).toLowerCase());
    if (original === undefined || domain === undefined || hops > maxHops) return;
    await this.forwardMail.forward({
      teamId: domain.teamId,
      domainId: domain.id,
      region: sendingRegion(domain),
      receivedId: id,
      recipients: [original],
      mailFrom: '',
      from: facts.from,
      to: facts.to,
      subject: facts.subject,
      messageId: facts.messageId,
      key: `bounce ${digest} ${recipient.toLowerCase()}`,
      content: (async function* () {
        yield content;
      })(),
    });
  }
}
