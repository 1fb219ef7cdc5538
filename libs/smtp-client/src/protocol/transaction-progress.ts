import type { ConnectionDetail } from './outcome-from-reply.js';
import type { SmtpCapabilities } from './smtp-capabilities.js';
import type { SmtpFailure } from './smtp-failure.js';
import type { SmtpPhase } from './smtp-options.js';
import type { SmtpReply } from './smtp-reply.js';
import type { SmtpTransaction } from './smtp-transaction.js';

/** The command to which the next reply belongs. In `content` no reply is due. */
export type TransactionStage = 'rset' | 'mail' | 'rcpt' | 'data' | 'content' | 'dot';

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
