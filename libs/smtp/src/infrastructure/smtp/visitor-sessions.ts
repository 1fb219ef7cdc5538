import { EmailTooLargeError } from '#emails';
import { Attached, clientKey, clientNetwork, Clock, parseEmailAddress, plainAddress } from '#kernel';
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { FeedbackMail, InboundRecipient, ReceivedMail, Visitor } from '../../application/ports/received-mail.port.js';
import { InspectedContent } from '../../domain/arriving-content.js';
import { VisitRate } from '../../domain/client-rates.js';
import { Reception, Receptions } from './reception.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** Bytes kept of a report. Reports have their information first; the returned message follows it. */
const keptBytes = 256 * 1024;
/** Addresses of one network together may send this many times as much as one address. */
const addressesOfNetwork = 4;

export interface VisitorOptions {
  /** Maximum size of a message. */
  readonly messageBytes: number;
  /** Maximum number of messages of one address. */
  readonly messagesPerMinute: number;
}

/**
 * Handles servers that do not log in. They may send mail to the service itself and to the domains that receive here;
 * mail to anybody else is refused.
 */
export class VisitorSessions {
  private readonly ofAddress: VisitRate;
  private readonly ofNetwork: VisitRate;
  private readonly transactions = new Attached<SMTPServerSession, VisitorTransaction>();
  private readonly receipts = new Attached<SMTPServerSession, string>();

  constructor(
    private readonly feedbackMail: FeedbackMail,
    private readonly receivedMail: ReceivedMail | undefined,
    private readonly receptions: Receptions,
    private readonly clock: Clock,
    private readonly options: VisitorOptions,
  ) {
    this.ofAddress = new VisitRate(options.messagesPerMinute);
    this.ofNetwork = new VisitRate(options.messagesPerMinute * addressesOfNetwork);
  }

  async begin(session: SMTPServerSession): Promise<void> {
    const { remoteAddress } = session;
    const now = this.clock.now().getTime();
    const isWithin =
      this.ofAddress.take(clientKey(remoteAddress), now) && this.ofNetwork.take(clientNetwork(remoteAddress), now);
    if (!isWithin) throw new SmtpRefusal(451, '4.7.1', 'Too much mail from your address, try again later');
    this.transactions.set(session, new VisitorTransaction());
  }

  /** Rejects with the refusal of a recipient. */
  async decide({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<void> {
    const transaction = this.transactions.get(session) ?? new VisitorTransaction();
    this.transactions.set(session, transaction);
    const isReport = this.feedbackMail.accepts(address);
    const recipient = isReport ? undefined : await this.inboundRecipient(address, session);
    if (!isReport && recipient === undefined) {
      throw new SmtpRefusal(550, '5.7.1', 'No such address here; to send mail to others, log in first');
    }
    if (!transaction.mayAdd(recipient)) {
      throw new SmtpRefusal(452, '4.5.3', 'Send the mail to this recipient in a transaction of its own');
    }
    if (recipient === undefined) transaction.addReport();
    else transaction.add(recipient);
  }

  admitContent(session: SMTPServerSession): Promise<void> {
    return this.receptions.admit(session, clientNetwork(session.remoteAddress));
  }

  abandon(session: SMTPServerSession): void {
    this.receptions.abandon(session);
  }

  hold(session: SMTPServerSession): void {
    this.receptions.hold(session);
  }

  resume(session: SMTPServerSession): void {
    this.receptions.resume(session);
  }

  /** Resolves when the effects of the message are durable. */
  async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const recipients = this.transactions.get(session)?.recipients;
    this.transactions.delete(session);
    const reception = this.receptions.begin(session, stream);
    try {
      if (recipients !== undefined) return await this.receiveInbound(reception, recipients, session);
      return await this.receiveReport(reception, stream, session);
    } finally {
      // As much again as the largest message: a client that does not stop then is disconnected.
      await reception.readToTheEnd(2 * this.options.messageBytes);
    }
  }

  /**
   * The client has read the reply to its message: it has sent the next command. Undefined if there is nothing to wait
   * for.
   */
  confirm(session: SMTPServerSession): Promise<void> | undefined {
    const receipt = this.receipts.get(session);
    if (receipt === undefined) return undefined;
    this.receipts.delete(session);
    return this.receivedMail?.confirm(receipt);
  }

  private async inboundRecipient(address: string, session: SMTPServerSession): Promise<InboundRecipient | undefined> {
    const recipient = isBarePostmaster(address) ? { address, domain: '' } : parseEmailAddress(address);
    if (this.receivedMail === undefined || recipient === undefined) return undefined;
    return this.receivedMail.decide(visitorOf(session), mailFromOf(session), recipient);
  }

  private async receiveInbound(
    reception: Reception,
    recipients: readonly InboundRecipient[],
    session: SMTPServerSession,
  ): Promise<string> {
    if (this.receivedMail === undefined) throw new Error('inbound recipients without inbound mail');
    const content = new InspectedContent(reception.chunks(), {
      bytes: this.options.messageBytes,
      exceeded: () => new EmailTooLargeError(),
    });
    try {
      const { id, receipt } = await this.receivedMail.receive({
        visitor: visitorOf(session),
        mailFrom: mailFromOf(session),
        smtpUtf8: session.envelope.smtpUtf8 === true,
        recipients,
        content: { header: () => content.header(), all: () => content.all() },
      });
      if (receipt !== undefined) this.receipts.set(session, receipt);
      return id;
    } finally {
      await content.close();
    }
  }

  private async receiveReport(
    reception: Reception,
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<string> {
    const content = await beginningOf(reception);
    if (stream.sizeExceeded) throw new SmtpRefusal(552, '5.3.4', 'The message is too large');
    await this.feedbackMail.receive({
      clientNetwork: clientNetwork(session.remoteAddress),
      mailFrom: mailFromOf(session),
      recipients: session.envelope.rcptTo.map(({ address }) => address),
      content,
    });
    return 'received';
  }
}

/** The only recipient without a domain (RFC 5321 section 4.5.1). */
export function isBarePostmaster(address: string): boolean {
  return address.toLowerCase() === 'postmaster';
}

function mailFromOf({ envelope }: SMTPServerSession): string {
  return envelope.mailFrom === false ? '' : envelope.mailFrom.address;
}

/** Reads all of the content, and keeps its beginning. */
async function beginningOf(reception: Reception): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let room = keptBytes;
  for await (const chunk of reception.chunks()) {
    if (room > 0) kept.push(chunk.subarray(0, room));
    room -= chunk.length;
  }
  return Buffer.concat(kept);
}

/** Messages are for recipients of one kind: feedback reports, other mail for the service itself, and mail for teams. */
type RecipientKind = 'report' | 'service' | 'team';

/** One message for which a server without a login has sent MAIL. */
class VisitorTransaction {
  /** Undefined before the first recipient. */
  private kind: RecipientKind | undefined;
  private readonly inbound = new Map<string, InboundRecipient>();

  /**
   * Returns whether the recipient is of the same kind as the ones before; undefined is the recipient of a report.
   * Otherwise the client sends it again in a transaction of its own (RFC 5321 section 4.5.3.1.10).
   */
  mayAdd(recipient: InboundRecipient | undefined): boolean {
    return this.kind === undefined || this.kind === kindOf(recipient);
  }

  addReport(): void {
    this.kind = 'report';
  }

  add(recipient: InboundRecipient): void {
    this.kind = kindOf(recipient);
    this.inbound.set(recipient.address.toLowerCase(), recipient);
  }

  /** Undefined if the message is a report. */
  get recipients(): readonly InboundRecipient[] | undefined {
    return this.inbound.size > 0 ? [...this.inbound.values()] : undefined;
  }
}

function kindOf(recipient: InboundRecipient | undefined): RecipientKind {
  if (recipient === undefined) return 'report';
  return recipient.isOfService === true ? 'service' : 'team';
}

function visitorOf({ remoteAddress, hostNameAppearsAs, tlsOptions }: SMTPServerSession): Visitor {
  const { version } = (tlsOptions as { version?: string } | false) || {};
  return {
    address: plainAddress(remoteAddress),
    network: clientNetwork(remoteAddress),
    helo: typeof hostNameAppearsAs === 'string' ? hostNameAppearsAs : '',
    tls: version ?? null,
  };
}
