import { ReceivedAttachment } from '../../domain/received-email.js';
import { Verdicts } from '../../domain/verdicts.js';
import { SendingServer } from '../../domain/received-email.js';

/** What a message says about itself. All texts can be stored and shown; an absent field is empty. */
export interface ArrivedFacts {
  readonly from: string;
  /** All addresses of the `From` fields. */
  readonly authors: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly messageId: string;
  /** The thread that begins with the first message that it refers to, or with itself. Null if nothing tells. */
  readonly threadId: string | null;
  /** Keys of the messages that it refers to, the nearest first (RFC 5322 section 3.6.4), and its own at the end. */
  readonly threadKeys: readonly string[];
  readonly attachments: readonly ReceivedAttachment[];
}

export type SenderVerdicts = Omit<Verdicts, 'spam' | 'virus'>;

export interface JudgedMessage {
  readonly facts: ArrivedFacts;
  readonly verdicts: SenderVerdicts;
}

export interface MessageOrigin {
  readonly client: SendingServer;
  /** The network of the client, to which work and look-ups are charged. */
  readonly network: string;
  readonly mailFrom: string;
  /** Whether a team of this service sends it, and it never left the machine. */
  readonly isLocal: boolean;
}

/** The look-ups of a message that is still arriving. */
export interface PendingJudgement {
  /** The header without results that claim to be from this host. */
  readonly header: Uint8Array;
  /** The number of servers that the message has passed. */
  readonly hops: number;
  /** The field that says that a program or a list has sent it (RFC 3834), in lower case; null if none does. */
  readonly automatic: string | null;
  /** How many programs of this service have answered each other until it was sent, as it proves. */
  readonly depth: number;
  /**
   * Judges the message as it arrived. `content` may be moved to another thread and must not be used afterwards. Never
   * throws for what a message or the DNS holds: a check that takes too long, or that cannot be made, is a `temperror`.
   * Throws a DomainError of kind `unavailable` if too many messages wait.
   */
  finish(contentId: string, content: Uint8Array): Promise<JudgedMessage>;
}

/** Reads a message that arrives, and checks where it is from: SPF, DKIM, DMARC, ARC, and the name of the client. */
export abstract class MessageJudge {
  /** Looks up what will be needed for the mail of this client. Neither throws nor waits. */
  abstract anticipate(origin: MessageOrigin): void;

  /** Begins the look-ups once the header is known, so that they run while the content arrives. */
  abstract begin(origin: MessageOrigin, header: Uint8Array): PendingJudgement;
}
