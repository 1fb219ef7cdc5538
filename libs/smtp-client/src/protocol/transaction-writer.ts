import type { SmtpCapabilities } from './smtp-capabilities.js';
import type { SmtpChannel } from './smtp-channel.js';
import type { SmtpTransaction } from './smtp-transaction.js';
import type { TransactionProgress } from './transaction-progress.js';

/**
 * Content up to this size goes in one write. Larger content goes in slices of this size, each written when the previous
 * one is gone.
 */
const sliceSize = 65_536;

/** Writes one transaction after the other, and releases content once its last byte has been sent. */
export class TransactionWriter {
  #content: Uint8Array = nothing;
  #offset = 0;
  /** The transaction whose content was written completely but has not all reached the operating system. */
  #unflushed: SmtpTransaction | undefined;

  constructor(
    private readonly channel: SmtpChannel,
    private readonly capabilities: SmtpCapabilities,
  ) {}

  /** All commands before the content, to be sent now. */
  firstCommands(progress: TransactionProgress): string {
    progress.sentInRead = this.channel.currentRead;
    return progress.firstCommands(this.capabilities);
  }

  /** Sends the next command if commands are not pipelined. */
  sendInTurn(progress: TransactionProgress, command: string): void {
    if (this.capabilities.pipelining) return;
    progress.sentInRead = this.channel.currentRead;
    this.channel.send(nothing, command);
  }

  begin(content: Uint8Array): void {
    this.#content = content;
    this.#offset = 0;
  }

  /** Writes all slices that may be written now, except the last. Returns the last one when its turn has come. */
  writeSlices(progress: TransactionProgress): Uint8Array | undefined {
    const content = this.#content;
    while (content.length - this.#offset > sliceSize) {
      const slice = content.subarray(this.#offset, (this.#offset += sliceSize));
      progress.sentInRead = this.channel.currentRead;
      if (!this.channel.write(slice)) return undefined;
    }
    this.#content = nothing;
    return this.#offset === 0 ? content : content.subarray(this.#offset);
  }

  /** Writes the last slice, the final dot, and the commands that go with them. */
  writeEnd(transaction: SmtpTransaction, content: Uint8Array, commands: string): void {
    const isFlushed = this.channel.send(content, `.\r\n${commands}`);
    if (isFlushed) transaction.releaseContent();
    else this.#unflushed = transaction;
  }

  /** To be called when all bytes written have reached the operating system. */
  flushed(): void {
    this.#unflushed?.releaseContent();
    this.#unflushed = undefined;
  }
}

const nothing = new Uint8Array(0);
