import { ReceivingDomains, returnPathHost, SendingDomains, sendingRegion } from '#domains';
import type { Domain } from '#domains';
import { ForwardMail } from '#emails';
import type { ReceivedEmail } from '#inbound';
import { Clock, domainOf } from '#kernel';
import { Injectable } from '@nestjs/common';
import { chainOf, deliveredTo, joined, mayBounce, resultsIn, SenderRewriting } from '../domain/forwarding.js';
import { LoadedMessage, RoutedMessages } from './ports/routed-messages.port.js';

export interface Forwarding {
  readonly email: ReceivedEmail;
  readonly message: LoadedMessage;
  /** The recipient for which it was received. */
  readonly recipient: string;
  /** The address to which it goes. */
  readonly target: string;
}

/**
 * Passes a received message on. It gets header fields in front (our trace, Delivered-To and a seal), and is otherwise
 * the same, byte for byte, so that its own DKIM signatures stay valid. The envelope sender is at the return path of the
 * domain that received it, so that SPF passes.
 */
@Injectable()
export class ForwardReceived {
  constructor(
    private readonly receiving: ReceivingDomains,
    private readonly sending: SendingDomains,
    private readonly senders: SenderRewriting,
    private readonly messages: RoutedMessages,
    private readonly forwardMail: ForwardMail,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the id of the email that waits for delivery. Throws a DomainError if the domain may not send. */
  async forward(forwarding: Forwarding): Promise<string> {
    const { email, recipient, target } = forwarding;
    const domain = await this.domainOf(email, recipient);
    const content = await this.contentOf(forwarding, domain);
    const { id } = await this.forwardMail.forward({
      teamId: email.teamId,
      domainId: domain.id,
      region: sendingRegion(domain),
      receivedId: email.id,
      recipients: [target],
      mailFrom: this.envelopeSender(forwarding, domain),
      from: email.from,
      to: email.to,
      subject: email.subject,
      messageId: email.messageId,
      key: `${forwarding.message.originalId} ${target.toLowerCase()}`,
      content,
    });
    return id;
  }

  private async domainOf({ teamId }: ReceivedEmail, recipient: string): Promise<Domain> {
    const name = (await this.receiving.find(domainOf(recipient).toLowerCase()))?.name;
    return this.sending.require(teamId, name ?? domainOf(recipient).toLowerCase());
  }

  /** The null sender stays: a bounce must not be answered with a bounce. Undefined: bounces come to us and are recorded. */
  private envelopeSender({ email, message }: Forwarding, domain: Domain): string | undefined {
    if (email.mailFrom === '') return '';
    if (!mayBounce(email, message.header)) return undefined;
    return this.senders.rewritten(email.mailFrom, returnPathHost(domain), this.clock.now());
  }

  private async contentOf(
    { email, message, recipient }: Forwarding,
    domain: Domain,
  ): Promise<AsyncIterable<Uint8Array>> {
    const added = joined([deliveredTo(recipient), message.trace]);
    const seal = await this.sealOf(email, joined([added, message.content]), domain);
    const pieces = [seal, added, message.content];
    return (async function* () {
      for (const piece of pieces) if (piece.length > 0) yield piece;
    })();
  }

  private async sealOf(
    { teamId, verdicts, trace }: ReceivedEmail,
    message: Uint8Array,
    domain: Domain,
  ): Promise<Uint8Array> {
    const [chain, results] = [chainOf(verdicts), resultsIn(trace)];
    const key = (await this.sending.signingKeys(domain.id)).find(({ algorithm }) => algorithm === 'rsa-sha256');
    if (chain === undefined || results === undefined || key === undefined) return new Uint8Array();
    return this.messages.seal({ message, key, results, chain, owner: teamId });
  }
}
