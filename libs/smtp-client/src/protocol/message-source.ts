import type { AttemptTimings } from '#delivery';
import type { SmtpCapabilities } from './smtp-capabilities.js';
import type { SmtpTransaction } from './smtp-transaction.js';
import { TransactionProgress } from './transaction-progress.js';

/** Supplies the messages of one connection. Each begins with what the previous message and the handshake left to do. */
export class MessageSource {
  /** Whether the server still has the envelope of the previous message. */
  needsReset = false;
  #taken = 0;

  constructor(
    private readonly maxMessages: number,
    private readonly capabilities: SmtpCapabilities,
    private readonly host: string,
    /** The timings of the handshake, which are reported with the first message. */
    private handshake: AttemptTimings | undefined,
    private readonly next: (maxBytes: number) => SmtpTransaction | undefined,
  ) {}

  get isExhausted(): boolean {
    return this.#taken >= this.maxMessages;
  }

  take(maxBytes: number): TransactionProgress | undefined {
    while (!this.isExhausted) {
      const transaction = this.next(maxBytes);
      if (transaction === undefined) return undefined;
      transaction.fitTo(this.capabilities, this.host);
      if (transaction.isSettled) continue;
      this.#taken++;
      const stage = this.needsReset ? 'rset' : 'mail';
      this.needsReset = false;
      transaction.begin(this.handshake);
      this.handshake = undefined;
      return new TransactionProgress(transaction, stage);
    }
    return undefined;
  }
}
