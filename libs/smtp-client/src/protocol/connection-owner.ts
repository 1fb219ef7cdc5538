import type { SmtpTransaction } from './smtp-transaction.js';

/** Supplies messages to connections, and is told about their state. */
export interface ConnectionOwner<Connection> {
  /** Whether other hosts wait because there are too many connections. */
  readonly isCrowded: boolean;
  /**
   * The next waiting message with content, if there is one and it has at most `maxBytes`. The connection must settle
   * it.
   */
  take(maxBytes: number): SmtpTransaction | undefined;
  /** The connection ended before any reply to this message, so another connection may try it. */
  putBack(transaction: SmtpTransaction): void;
  /** The connection has become idle. */
  idle(): void;
  closed(connection: Connection): void;
}
