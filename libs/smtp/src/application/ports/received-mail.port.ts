import { DomainError, ErrorKind } from '#kernel';

/** A server that hands over mail without a login. */
export interface Visitor {
  /** IP address. */
  readonly address: string;
  /** The network of the address, to which work is charged. */
  readonly network: string;
  /** The name that it said in HELO or EHLO. */
  readonly helo: string;
  /** The version of TLS, such as `TLSv1.3`; null for a connection without TLS. */
  readonly tls: string | null;
}

/** A recipient that was accepted. What else it holds is known to the implementation only. */
export interface InboundRecipient {
  readonly address: string;
  /** An address of the service itself. A message is for such addresses alone or for others alone. */
  readonly isOfService?: boolean;
}

/** The content of a message. Every byte is checked as it arrives: line ends are CRLF, and the header has a limit. */
export interface ArrivingContent {
  /** The bytes up to the empty line after the header. To be called once, before `all`. */
  header(): Promise<Uint8Array>;
  /** All bytes, those of the header included. Can be read once. A reader that stops reading stops the sender. */
  all(): AsyncIterable<Uint8Array>;
}

export interface ArrivingMessage {
  readonly visitor: Visitor;
  /** Reverse-path without brackets; empty for the null sender. */
  readonly mailFrom: string;
  /** Whether MAIL had SMTPUTF8 (RFC 6531). */
  readonly smtpUtf8: boolean;
  /** At least one, from `decide`. */
  readonly recipients: readonly InboundRecipient[];
  readonly content: ArrivingContent;
}

export interface TakenMessage {
  readonly id: string;
  /** To be passed to `confirm` when the client has read the reply; undefined if there is nothing to confirm. */
  readonly receipt: string | undefined;
}

/**
 * Mail that other servers send to domains that receive here, without a login. A process without the role `inbound` only
 * says: later.
 */
export abstract class ReceivedMail {
  /**
   * Decides on a recipient before the content is sent. Undefined if its domain receives no mail here. Throws a
   * `MailRefusal` or another `DomainError` for a recipient that gets no mail. After any other error the client is told
   * to try again.
   */
  abstract decide(
    visitor: Visitor,
    mailFrom: string,
    recipient: { readonly address: string; readonly domain: string },
  ): Promise<InboundRecipient | undefined>;

  /** Resolves once the message is durable. Refuses like `decide`. Never sends a message in return. */
  abstract receive(message: ArrivingMessage): Promise<TakenMessage>;

  /**
   * The client knows that the message was taken, and will not send it again. It gets no other reply before this
   * resolves. Must not reject.
   */
  abstract confirm(receipt: string): Promise<void>;
}

/** A refusal of another server's mail with a reply of its own (RFC 5321 section 4.2, RFC 3463). */
export class MailRefusal extends DomainError {
  constructor(
    readonly replyCode: 450 | 451 | 452 | 550 | 552 | 554,
    readonly enhancedCode: string,
    text: string,
  ) {
    super(kindOf(replyCode), 'mail_refused', text);
  }
}

function kindOf(replyCode: number): ErrorKind {
  return replyCode < 500 ? 'unavailable' : 'forbidden';
}

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
