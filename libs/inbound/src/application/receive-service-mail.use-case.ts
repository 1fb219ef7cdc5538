import { Clock, newId } from '#kernel';
import { ArrivingMessage, InboundMail, InboundRecipient, MailRefusal, TakenMessage, Visitor } from '#smtp';
import { Injectable } from '@nestjs/common';
import { ContentSpool } from './ports/content-spool.port.js';
import { JudgedMessage, MessageJudge, MessageOrigin } from './ports/message-judge.port.js';
import { ServiceMailbox, ServiceMailboxes } from './ports/service-mailbox.port.js';
import { ReceiveMail } from './receive-mail.use-case.js';

/** A recipient that is an address of the service itself. */
interface ServiceRecipient extends InboundRecipient {
  readonly isOfService: true;
  readonly mailbox: ServiceMailbox;
}

interface Judged extends JudgedMessage {
  readonly id: string;
  readonly digest: string;
  readonly hops: number;
  /** A copy of the bytes for each call, which may be moved. */
  readonly copy: () => Promise<{ readonly bytes: Uint8Array; release(): void }>;
}

/** Receives mail for the service itself, which is judged and then given to its mailbox, and all other mail for teams. */
@Injectable()
export class ReceiveServiceMail extends InboundMail {
  constructor(
    private readonly mailboxes: ServiceMailboxes,
    private readonly receiveMail: ReceiveMail,
    private readonly judge: MessageJudge,
    private readonly spool: ContentSpool,
    private readonly clock: Clock,
  ) {
    super();
  }

  async decide(
    visitor: Visitor,
    mailFrom: string,
    recipient: { readonly address: string; readonly domain: string },
  ): Promise<InboundRecipient | undefined> {
    const mailbox = await this.mailboxes.for(recipient.address, mailFrom);
    if (mailbox === undefined) return this.receiveMail.decide(visitor, mailFrom, recipient);
    this.judge.anticipate(originOf(visitor, mailFrom));
    const decided: ServiceRecipient = { address: recipient.address, isOfService: true, mailbox };
    return decided;
  }

  async receive(message: ArrivingMessage): Promise<TakenMessage> {
    const own = message.recipients.filter((recipient): recipient is ServiceRecipient => 'mailbox' in recipient);
    if (own.length === 0) return this.receiveMail.receive(message);
    if (own.length < message.recipients.length) {
      throw new MailRefusal(554, '5.5.0', 'Send mail to addresses for reports in a transaction of its own');
    }
    return this.take(message, own);
  }

  confirm(receipt: string): void {
    this.receiveMail.confirm(receipt);
  }

  private async take(message: ArrivingMessage, recipients: readonly ServiceRecipient[]): Promise<TakenMessage> {
    const id = newId(this.clock.now().getTime());
    const { visitor, mailFrom, content } = message;
    const { network } = visitor;
    const header = await content.header();
    const pending = this.judge.begin(originOf(visitor, mailFrom), header);
    const spooled = await this.spool.take(id, content.all());
    try {
      const copy = () => this.spool.load(spooled, network);
      const loaded = await copy();
      const judgement = await pending.finish(id, loaded.bytes).finally(() => loaded.release());
      const judged = { ...judgement, id, digest: spooled.digest, hops: pending.hops, copy };
      for (const recipient of recipients) await this.give(recipient, judged, mailFrom, network);
      return { id, receipt: undefined };
    } finally {
      this.spool.release(spooled);
    }
  }

  private async give(
    { address, mailbox }: ServiceRecipient,
    { copy, ...judged }: Judged,
    mailFrom: string,
    network: string,
  ): Promise<void> {
    const loaded = await copy();
    try {
      await mailbox.take({ ...judged, recipient: address, mailFrom, network, content: loaded.bytes });
    } finally {
      loaded.release();
    }
  }
}

function originOf({ address, helo, tls, network }: Visitor, mailFrom: string): MessageOrigin {
  return { client: { address, helo, tls }, network, mailFrom, isLocal: false };
}
