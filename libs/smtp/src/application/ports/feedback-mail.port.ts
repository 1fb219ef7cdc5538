export interface FeedbackMessage {
  /** The network of the server that sent it. The work of reading it is charged to this network. */
  readonly clientNetwork: string;
  /** Reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  /** The recipients that `accepts` allowed, at least one. */
  readonly recipients: readonly string[];
  /** The bytes as received, cut off at the end if they were too long. */
  readonly content: Uint8Array;
}

/** Bounces, complaints and wishes to unsubscribe, which come back to return paths without a login. */
export abstract class FeedbackMail {
  /** Whether the address takes such mail. */
  abstract accepts(recipient: string): boolean;

  /**
   * Resolves once everything that follows from the message is durable. A `DomainError` refuses the message; after any
   * other error the other server keeps it and tries again. Never sends a message in return.
   */
  abstract receive(message: FeedbackMessage): Promise<void>;
}
