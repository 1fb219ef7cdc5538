import type { ConnectionDetail } from './outcome-from-reply.js';
import type { SmtpCapabilities } from './smtp-capabilities.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpPhase } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply.js';
import type { SmtpTransaction } from './smtp-transaction.js';

/** What the next reply to a message answers. In `content` none is due. */
export type TransactionStage = 'rset' | 'mail' | 'rcpt' | 'data' | 'content' | 'dot';

export const phaseOfStage: Record<TransactionStage, SmtpPhase> = {
  rset: 'mail',
  mail: 'mail',
  rcpt: 'rcpt',
  data: 'dataInitiation',
  content: 'dataBlock',
  dot: 'dataTermination',
};

/** How far one message has come on this connection. */
export class TransactionProgress {
  position = 0;
  acceptedRecipients = 0;
  mailRefusal: SmtpReply | undefined;
  hasReply = false;
  /** The read in whose handling something was last sent; a reply in that same read was there before the question. */
  sentInRead = 0;

  constructor(
    readonly transaction: SmtpTransaction,
    public stage: TransactionStage,
  ) {}

  get isEndSent(): boolean {
    return this.stage === 'dot';
  }

  /** DATA was accepted for nobody; only the final dot is sent (RFC 2920 section 3.1). */
  get isForNobody(): boolean {
    return this.acceptedRecipients === 0;
  }

  recipientAnswered(reply: SmtpReply, connection: ConnectionDetail): void {
    if (this.mailRefusal === undefined) {
      if (reply.isPositive) this.acceptedRecipients++;
      else this.transaction.recipientRefused(this.position, reply, connection);
    }
    this.position++;
  }

  /** The reply ends it, unless MAIL had been refused: then that does. */
  finish(phase: SmtpPhase, reply: SmtpReply, connection: ConnectionDetail): void {
    if (this.mailRefusal !== undefined) this.transaction.finish('mail', this.mailRefusal, connection);
    else this.transaction.finish(phase, reply, connection);
  }

  /** The end of the connection ends it. */
  fail(failure: SmtpFailure, connection: ConnectionDetail): void {
    if (this.mailRefusal !== undefined) return this.transaction.finish('mail', this.mailRefusal, connection);
    const outcomeUnknown = this.isEndSent && !this.isForNobody;
    this.transaction.fail(failure, outcomeUnknown, connection, phaseOfStage[this.stage]);
  }

  /** All that precedes the content, or without PIPELINING the first command of it. */
  firstCommands(capabilities: SmtpCapabilities): string {
    const { transaction, stage } = this;
    if (!capabilities.pipelining) return stage === 'rset' ? 'RSET\r\n' : transaction.mailCommand(capabilities);
    let commands = (stage === 'rset' ? 'RSET\r\n' : '') + transaction.mailCommand(capabilities);
    for (let position = 0; position < transaction.recipientCount; position++)
      commands += transaction.rcptCommand(position);
    return `${commands}DATA\r\n`;
  }
}
