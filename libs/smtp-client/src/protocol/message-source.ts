import type { AttemptTimings } from '#delivery';
import type { SmtpCapabilities } from './smtp-capabilities.js';
import type { SmtpTransaction } from './smtp-transaction.js';
import { TransactionProgress } from './transaction-progress.js';

/** Where one connection gets its messages: each begins with what the one before and the handshake have left to do. */
export class MessageSource {
  /** The server still has the envelope of the last one. */
  needsReset = false;
  #taken = 0;

  constructor(
    private readonly maxMessages: number,
    private readonly capabilities: SmtpCapabilities,
    private readonly host: string,
    /** Until the first message takes it along. */
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
