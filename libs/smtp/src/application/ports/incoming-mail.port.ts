export interface IncomingMessage {
  /** The network of the server that brought it: to whom its reading is charged. */
  readonly clientNetwork: string;
  /** Reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  /** Those that `accepts` said yes to, at least one. */
  readonly recipients: readonly string[];
  /** As it came, its end cut off where it was too long. */
  readonly content: Uint8Array;
}

/** Mail that other servers bring for the service itself, without a login. */
export abstract class IncomingMail {
  /** Whether mail for the address is for the service. Everything else is refused before any of it has been sent. */
  abstract accepts(recipient: string): boolean;

  /**
   * Resolves once everything that follows from the message is durable. A `DomainError` refuses it; anything else makes the
   * other server keep it and come again. Never answers with a message of its own.
   */
  abstract receive(message: IncomingMessage): Promise<void>;
}
