import type { AttemptTimings } from '#delivery';
import type { ConnectionDetail, SmtpTransaction } from './smtp-transaction.js';
import type { SmtpCapabilities } from './smtp-session.js';
import type { SmtpChannel } from './smtp-channel.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpPhase } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply-parser.js';

/** The command to which the next reply belongs. In `content` no reply is due. */
type TransactionStage = 'rset' | 'mail' | 'rcpt' | 'data' | 'content' | 'dot';

export const phaseOfStage: Record<TransactionStage, SmtpPhase> = {
  rset: 'mail',
  mail: 'mail',
  rcpt: 'rcpt',
  data: 'dataInitiation',
  content: 'dataBlock',
  dot: 'dataTermination',
};

/** The progress of one message on its connection. */
export class TransactionProgress {
  position = 0;
  acceptedRecipients = 0;
  mailRefusal: SmtpReply | undefined;
  hasReply = false;
  /** Number of the read during which something was last sent. A reply in the same read was sent before our command. */
  sentInRead = 0;

  constructor(
    readonly transaction: SmtpTransaction,
    public stage: TransactionStage,
  ) {}

  /** Whether another connection may take over: no content was sent, and some recipient has no outcome. */
  get mayStartOver(): boolean {
    if (this.mailRefusal !== undefined || this.stage === 'content' || this.stage === 'dot') return false;
    return this.stage !== 'data' || !this.hasNoRecipients;
  }

  get isEndSent(): boolean {
    return this.stage === 'dot';
  }

  /** DATA was accepted without any accepted recipient: only the final dot is sent (RFC 2920 section 3.1). */
  get hasNoRecipients(): boolean {
    return this.acceptedRecipients === 0;
  }

  recipientReplied(reply: SmtpReply, connection: ConnectionDetail): void {
    if (this.mailRefusal === undefined) {
      if (reply.isPositive) this.acceptedRecipients++;
      else this.transaction.recipientRefused(this.position, reply, connection);
    }
    this.position++;
  }

  /** Ends the message with this reply, or with the refusal of MAIL if there was one. */
  finish(phase: SmtpPhase, reply: SmtpReply, connection: ConnectionDetail): void {
    if (this.mailRefusal !== undefined) this.transaction.finish('mail', this.mailRefusal, connection);
    else this.transaction.finish(phase, reply, connection);
  }

  /** Ends the message because the connection ended. */
  fail(failure: SmtpFailure, connection: ConnectionDetail): void {
    if (this.mailRefusal !== undefined) return this.transaction.finish('mail', this.mailRefusal, connection);
    const outcomeUnknown = this.isEndSent && !this.hasNoRecipients;
    this.transaction.fail(failure, outcomeUnknown, connection, phaseOfStage[this.stage]);
  }

  /** All commands before the content, or without PIPELINING only the first one. */
  firstCommands(capabilities: SmtpCapabilities): string {
    const { transaction, stage } = this;
    if (!capabilities.pipelining) return stage === 'rset' ? 'RSET\r\n' : transaction.mailCommand(capabilities);
    let commands = (stage === 'rset' ? 'RSET\r\n' : '') + transaction.mailCommand(capabilities);
    for (let position = 0; position < transaction.recipientCount; position++)
      commands += transaction.rcptCommand(position);
    return `${commands}DATA\r\n`;
  }
}

/**
 * Content up to this size goes in one write. Larger content goes in slices of this size, each written when the previous
 * one is gone.
 */
const sliceSize = 65_536;

/** Writes one transaction after the other, and releases content once its last byte has been sent. */
export class TransactionWriter {
  #content: Uint8Array = nothing;
  #offset = 0;

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
    this.channel.send(content, `.\r\n${commands}`, () => transaction.releaseContent());
  }
}

const nothing = new Uint8Array(0);

/** Supplies the messages of one connection. Each begins with what the previous message and the handshake left to do. */
export class MessageSource {
  /** Whether the server still has the envelope of the previous message. */
  needsReset = false;
  #taken = 0;

  constructor(
    private maxMessages: number,
    private readonly capabilities: SmtpCapabilities,
    private readonly host: string,
    /** The timings of the handshake, which are reported with the first message. */
    private handshake: AttemptTimings | undefined,
    private readonly next: (maxBytes: number) => SmtpTransaction | undefined,
  ) {}

  get isExhausted(): boolean {
    return this.#taken >= this.maxMessages;
  }

  limitTo(messages: number): void {
    this.maxMessages = Math.min(this.maxMessages, messages);
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
