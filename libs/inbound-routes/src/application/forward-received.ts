import { ReceivingDomains, returnPathHost, SendingDomains } from '#domains';
import type { Domain } from '#domains';
import { ForwardMail } from '#emails';
import type { ReceivedEmail } from '#inbound';
import { Clock, domainOf } from '#kernel';
import { Injectable } from '@nestjs/common';
import { chainOf, mayBounce, resultsIn } from '../domain/forwarding.js';
import { LoadedMessage } from './ports/message-sources.port.js';
import { MessageSealer } from './ports/message-sealer.port.js';
import { SenderRewriting } from './ports/sender-rewriting.port.js';

export interface Forwarding {
  readonly email: ReceivedEmail;
  readonly message: LoadedMessage;
  /** The recipient for which it was received. */
  readonly recipient: string;
  /** The address to which it goes. */
  readonly target: string;
}

/**
 * Passes a received message on. It gets header fields in front (our trace, Delivered-To and a seal), and is otherwise the same,
 * byte for byte, so that its own DKIM signatures stay valid. The envelope sender is at the return path of the domain that received
 * it, so that SPF passes.
 */
@Injectable()
export class ForwardReceived {
  constructor(
    private readonly receiving: ReceivingDomains,
    private readonly sending: SendingDomains,
    private readonly senders: SenderRewriting,
    private readonly sealer: MessageSealer,
    private readonly forwardMail: ForwardMail,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the id of the email that waits for delivery. Throws a DomainError where the domain may not send. */
  async execute(forwarding: Forwarding): Promise<string> {
    const { email, recipient, target } = forwarding;
    const domain = await this.domainOf(email, recipient);
    const content = await this.contentOf(forwarding, domain);
    const { id } = await this.forwardMail.execute({
      teamId: email.teamId,
      domainId: domain.id,
      region: domain.region,
      receivedId: email.id,
      recipients: [target],
      mailFrom: this.envelopeSender(forwarding, domain),
      from: email.from,
      to: email.to,
      subject: email.subject,
      messageId: email.messageId,
      key: `${email.id} ${target.toLowerCase()}`,
      content,
    });
    return id;
  }

  private async domainOf({ teamId }: ReceivedEmail, recipient: string): Promise<Domain> {
    const name = (await this.receiving.find(domainOf(recipient).toLowerCase()))?.name;
    return this.sending.require(teamId, name ?? domainOf(recipient).toLowerCase());
  }

  /** The null sender stays: whoever sends a bounce must get none. Undefined: bounces come to us and are recorded. */
  private envelopeSender({ email, message }: Forwarding, domain: Domain): string | undefined {
    if (email.mailFrom === '') return '';
    if (!mayBounce(email, message.header)) return undefined;
    return this.senders.rewritten(email.mailFrom, returnPathHost(domain), this.clock.now());
  }

  private async contentOf(
    { email, message, recipient }: Forwarding,
    domain: Domain,
  ): Promise<AsyncIterable<Uint8Array>> {
    const added = joined([utf8(`Delivered-To: ${recipient}\r\n`), message.trace]);
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
    return this.sealer.seal({ message, key, results, chain, owner: teamId });
  }
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
