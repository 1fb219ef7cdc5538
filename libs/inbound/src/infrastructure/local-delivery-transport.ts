import { DeliveryTransport } from '#delivery';
import type { DeliveryOutcome, LaneLimits, MessageContent, OutboundMessage } from '#delivery';
import { ReceivingDomains } from '#domains';
import { DomainError, domainOf, parseEmailAddress, whenKnown } from '#kernel';
import type { MaybePromise } from '#kernel';
import { splitMessage } from '#mime';
import { MailRefusal } from '#smtp';
import type { ArrivingContent, Visitor } from '#smtp';
import { ReceiveMail } from '../application/receive-mail.use-case.js';

/**
 * Delivers mail to domains whose mail host is this service, without leaving the machine, and passes all other mail to
 * the next transport. A message counts as delivered once it is durable; one that is handed over again is recognised.
 */
export class LocalDeliveryTransport extends DeliveryTransport {
  override readonly sharesTransactions: boolean;
  private readonly visitor: Visitor;

  constructor(
    private readonly next: DeliveryTransport,
    private readonly domains: ReceivingDomains,
    private readonly receiveMail: ReceiveMail,
    hostName: string,
  ) {
    super();
    this.sharesTransactions = next.sharesTransactions;
    this.visitor = { address: '127.0.0.1', network: 'this machine', helo: hostName, tls: null };
  }

  concurrencyOf(lane: string): number {
    return this.next.concurrencyOf(lane);
  }

  override limitsOf(lane: string): LaneLimits | undefined {
    return this.next.limitsOf(lane);
  }

  deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    const asked = message.recipients.map((recipient) => this.isLocal(recipient));
    return asked.every((known) => known === false) ? this.next.deliver(message) : this.deliverMixed(message, asked);
  }

  private async deliverMixed(
    message: OutboundMessage,
    asked: readonly MaybePromise<boolean>[],
  ): Promise<readonly DeliveryOutcome[]> {
    const areLocal = await Promise.all(asked.map((known) => Promise.resolve(known)));
    if (!areLocal.includes(true)) return this.next.deliver(message);
    const others = message.recipients.filter((_, index) => areLocal[index] === false);
    const outcomes = others.length === 0 ? [] : await this.next.deliver({ ...message, recipients: others });
    const rest = outcomes[Symbol.iterator]();
    const all: DeliveryOutcome[] = [];
    for (const [index, recipient] of message.recipients.entries()) {
      const isLocal = areLocal[index] === true;
      all.push(isLocal ? await this.handOver(message, recipient) : (rest.next().value as DeliveryOutcome));
    }
    return all;
  }

  override withdraw(): void {
    this.next.withdraw();
  }

  close(): Promise<void> {
    return this.next.close();
  }

  private isLocal(recipient: string): MaybePromise<boolean> {
    return whenKnown(this.domains.find(domainOf(recipient)), (domain) => domain?.isMailHost === true);
  }

  /**
   * Each recipient is a transaction of its own, so that a second attempt for one of them changes nothing for the
   * others.
   */
  private async handOver(message: OutboundMessage, recipient: string): Promise<DeliveryOutcome> {
    const started = performance.now();
    const durationMs = (): number => Math.round(performance.now() - started);
    const host = this.visitor.helo;
    const content = await message.content();
    try {
      const id = await this.give(message, recipient, content);
      const reply = { replyCode: 250, enhancedCode: '2.0.0', replyText: `OK: ${id}` };
      return { kind: 'delivered', detail: { host, ...reply, durationMs: durationMs() } };
    } catch (error) {
      return failed(error, host, durationMs());
    }
  }

  private async give(
    { emailId, mailFrom }: OutboundMessage,
    recipient: string,
    content: MessageContent,
  ): Promise<string> {
    const { visitor, receiveMail } = this;
    const address = parseEmailAddress(recipient);
    const decided = address === undefined ? undefined : await receiveMail.decideLocal(mailFrom, address);
    if (decided === undefined) throw new MailRefusal(451, '4.3.0', 'The domain has just stopped to receive here');
    const { id } = await receiveMail.receive({
      visitor,
      mailFrom,
      smtpUtf8: /[^\x20-\x7e]/.test(recipient),
      recipients: [decided],
      content: arriving(content.bytes),
      localKey: emailId,
    });
    return id;
  }
}

function arriving(bytes: Uint8Array): ArrivingContent {
  return {
    header: async () => bytes.subarray(0, splitMessage(bytes).bodyStart),
    all: async function* () {
      yield bytes;
    },
  };
}

function failed(error: unknown, host: string, durationMs: number): DeliveryOutcome {
  if (error instanceof MailRefusal) {
    const { replyCode, enhancedCode, message } = error;
    const detail = { host, replyCode, enhancedCode, replyText: message, durationMs };
    const reason = `${replyCode} ${enhancedCode} ${message}`;
    return replyCode >= 500
      ? { kind: 'bounced', reason, detail }
      : { kind: 'deferred', reason, outcomeUnknown: false, detail };
  }
  // What may have been stored already is recognised at the next attempt.
  const reason = error instanceof DomainError ? error.message : 'The message could not be stored';
  return { kind: 'deferred', reason, outcomeUnknown: false, detail: { host, durationMs } };
}
