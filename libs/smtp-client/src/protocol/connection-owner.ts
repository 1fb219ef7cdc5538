import type { SmtpTransaction } from './smtp-transaction.js';

/** Where connections get their messages, and what they tell of themselves. */
export interface ConnectionOwner<Connection> {
  /** Other hosts wait because there are too many connections. */
  readonly isCrowded: boolean;
  /** The next waiting message with content, if there is one and it is no larger; from then on it is the connection's to settle. */
  take(maxBytes: number): SmtpTransaction | undefined;
  /** Nothing was answered to this message before the connection ended: another one may try it. */
  putBack(transaction: SmtpTransaction): void;
  /** The connection has become idle. */
  idle(): void;
  closed(connection: Connection): void;
}
