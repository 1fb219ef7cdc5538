import { Page, PageRequest, Transaction } from '#kernel';
import { ReceivedEmail } from '../../domain/received-email.js';
import { SpooledContent } from '../content-spool.js';

/** An email of one team, and what follows from it. */
export interface ArrivedEmail {
  /** With the thread in which it is if none of the keys is known. */
  readonly email: ReceivedEmail;
  /** Keys of messages: it joins the thread of the first one that is known in its team. */
  readonly threadKeys: readonly string[];
  /** Whether `email.received` is written. */
  readonly announce: boolean;
  /** Whether `ReceivedMailActions` runs afterwards. */
  readonly act: boolean;
}

/** One message with the emails that it becomes. */
export interface AcceptedMessage {
  /** Texts that are together the same only for a message that is sent again because its 250 was lost. */
  readonly identity: readonly string[];
  readonly content: SpooledContent;
  /** At least one, of different teams. */
  readonly arrivals: readonly ArrivedEmail[];
}

export interface ReceivedFilter {
  readonly threadId?: string;
  /** The address of the author, in lower case. */
  readonly from?: string;
}

export interface StoredReceivedMessage {
  /** Id of its first email. */
  readonly id: string;
  /** To be given to `confirm`. */
  readonly receipt: string;
}

export interface ErasedRecipients {
  readonly erased: number;
  /** The last email of the portion; undefined at the end. */
  readonly last: string | undefined;
  readonly isWaiting: boolean;
}

/** The received emails of all teams. */
export abstract class ReceivedEmails {
  /**
   * Stores a message with everything that follows from it, durably, or recognises it as one that was stored before and
   * whose receipt was not confirmed.
   */
  abstract accept(message: AcceptedMessage): Promise<StoredReceivedMessage>;

  /**
   * The client knows that this message was taken: equal bytes are a new message from now on. Resolves when that is
   * durable, as far as it can be made so. Must not reject.
   */
  abstract confirm(receipt: string): Promise<void>;

  abstract find(teamId: string, id: string): Promise<ReceivedEmail | undefined>;

  /** The email of any team, for a signed link and for the worker. */
  abstract findAny(id: string): Promise<ReceivedEmail | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest, filter: ReceivedFilter): Promise<Page<ReceivedEmail>>;

  /** Writes `email.received`, as a new event: in `transaction` if one is given. */
  abstract announce(email: ReceivedEmail, transaction?: Transaction): Promise<void>;

  /**
   * Deletes emails whose author has this address, in lower case, with their contents: at most `limit` of them.
   * Resolves with their number.
   */
  abstract erase(teamId: string, address: string, limit: number): Promise<number>;

  /**
   * Erases an address, in lower case, from mail that others wrote, in the portion of the team's emails behind `after`.
   * An email that names nobody else as recipient is deleted with its content. In others `erased` stands in place of the
   * address, and the content stays as it was received. An email that routes still work on waits.
   */
  abstract eraseRecipient(teamId: string, address: string, after: string, limit: number): Promise<ErasedRecipients>;
}
