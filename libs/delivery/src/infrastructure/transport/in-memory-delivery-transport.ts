import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import type { AttemptDetail, DeliveryOutcome, OutboundMessage } from '../../domain/attempt.js';

/** A delivered message with its content. */
export type DeliveredMessage = Omit<OutboundMessage, 'content'> & { readonly content: Uint8Array };

/**
 * Delivers nowhere and remembers everything. For tests, and a first example for whoever writes a transport.
 *
 * ```ts
 * const transport = new InMemoryDeliveryTransport();
 * transport.outcomeFor('full@example.test', InMemoryDeliveryTransport.deferred('452 4.2.2 Mailbox full'));
 * ```
 */
export class InMemoryDeliveryTransport extends DeliveryTransport {
  /** Delivered messages, oldest first, each with the recipients that accepted it. */
  readonly delivered: DeliveredMessage[] = [];

  readonly #outcomes = new Map<string, DeliveryOutcome>();
  #isClosed = false;

  static bounced(reason: string): DeliveryOutcome {
    return { kind: 'bounced', reason, detail: detailOf(550, '5.0.0', reason) };
  }

  static deferred(reason: string): DeliveryOutcome {
    return { kind: 'deferred', reason, outcomeUnknown: false, detail: detailOf(450, '4.0.0', reason) };
  }

  /** Sets the outcome of all later mail to this recipient. Without `outcome`, it is delivered again. */
  outcomeFor(recipient: string, outcome?: DeliveryOutcome): void {
    if (outcome === undefined) this.#outcomes.delete(recipient);
    else this.#outcomes.set(recipient, outcome);
  }

  concurrencyOf(): number {
    return 10;
  }

  async deliver(message: OutboundMessage): Promise<readonly DeliveryOutcome[]> {
    if (this.#isClosed) throw new Error('The transport has been closed');
    const outcomes = message.recipients.map((recipient) => this.#outcomes.get(recipient) ?? accepted);
    const recipients = message.recipients.filter((_, index) => outcomes[index]?.kind === 'delivered');
    if (recipients.length > 0) {
      const content = await message.content();
      this.delivered.push({ ...message, recipients, content: Uint8Array.from(content.bytes) });
      content.release();
    }
    return outcomes;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

const accepted: DeliveryOutcome = { kind: 'delivered', detail: detailOf(250, '2.0.0', 'Kept in memory') };

function detailOf(replyCode: number, enhancedCode: string, replyText: string): AttemptDetail {
  return { host: 'memory', replyCode, enhancedCode, replyText, durationMs: 0 };
}
