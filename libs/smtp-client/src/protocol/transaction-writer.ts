import type { SmtpCapabilities } from './smtp-capabilities.js';
import type { SmtpChannel } from './smtp-channel.js';
import type { SmtpTransaction } from './smtp-transaction.js';
import type { TransactionProgress } from './transaction-progress.js';

/** Content up to this size goes in one write; what is larger goes in slices of this size, each when the last is gone. */
const sliceSize = 65_536;

/** Writes one transaction after the other, and lets go of content when its last byte is on its way. */
export class TransactionWriter {
  #content: Uint8Array = nothing;
  #offset = 0;
  /** All of its content has been handed over, and not all of it has reached the operating system. */
  #unflushed: SmtpTransaction | undefined;

  constructor(
    private readonly channel: SmtpChannel,
    private readonly capabilities: SmtpCapabilities,
  ) {}

  /** All that precedes the content, to be sent now. */
  firstCommands(progress: TransactionProgress): string {
    progress.sentInRead = this.channel.currentRead;
    return progress.firstCommands(this.capabilities);
  }

  /** Where commands are not pipelined: the next one. */
  sendInTurn(progress: TransactionProgress, command: string): void {
    if (this.capabilities.pipelining) return;
    progress.sentInRead = this.channel.currentRead;
    this.channel.send(nothing, command);
  }

  begin(content: Uint8Array): void {
    this.#content = content;
    this.#offset = 0;
  }

  /** All that may be written now but the last slice; that is returned when its turn has come. */
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

  /** The last slice, the final dot, and the commands that go with them. */
  writeEnd(transaction: SmtpTransaction, content: Uint8Array, commands: string): void {
    const isFlushed = this.channel.send(content, `.\r\n${commands}`);
    if (isFlushed) transaction.releaseContent();
    else this.#unflushed = transaction;
  }

  /** Everything written has reached the operating system. */
  flushed(): void {
    this.#unflushed?.releaseContent();
    this.#unflushed = undefined;
  }
}

const nothing = new Uint8Array(0);
