import { Page, PageRequest, Transaction } from '#kernel';
import { EmailDirection, InboxEmail, InboxThread, MovableFolder, ThreadFolder } from '../../domain/thread.js';

/** An email that is put into an inbox. */
export interface EmailToFile extends Omit<InboxEmail, 'inboxId' | 'threadId' | 'isRead'> {
  readonly direction: EmailDirection;
  /** What is searched beside the other fields. */
  readonly text: string;
}

/** Where it belongs. */
export type ThreadPlace =
  /** It answers an email of this thread. */
  | { readonly threadId: string }
  /**
   * The thread with this root, or of the email with this key. Undefined: it answers none. New threads of spam are in the
   * folder `spam`.
   */
  | { readonly root: string | undefined; readonly isSpam: boolean };

export interface FiledEmail {
  readonly email: InboxEmail;
  readonly thread: InboxThread;
  readonly isNewThread: boolean;
  /** Where the thread was, if the email has moved it. */
  readonly movedFrom: ThreadFolder | undefined;
}

export interface ThreadFilter {
  readonly folders: readonly ThreadFolder[];
  /** Threads with any of these labels. Empty: all. */
  readonly labels: readonly string[];
  readonly isRead?: boolean;
  /** The address of a member of the team: only threads that this member looks after. */
  readonly assigneeEmail?: string;
}

/** What emails of a found thread have. Words of one list are alternatives. */
export interface ThreadSearch {
  /** All words, "phrases", -without. */
  readonly query?: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly hasAttachment?: boolean;
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

export interface FoundThread extends InboxThread {
  /** The newest email that was searched for; null if nothing was. */
  readonly matchedEmailId: string | null;
}

export interface ThreadChanges {
  /** Of all its emails. */
  readonly isRead?: boolean;
  readonly folder?: MovableFolder;
  /** The address of a member of the team. Null: nobody. */
  readonly assigneeEmail?: string | null;
}

export interface ThreadChange {
  readonly thread: InboxThread;
  readonly movedFrom: ThreadFolder | undefined;
  /** The address of who looked after it, if that is somebody else now. */
  readonly assignedFrom: string | null | undefined;
}

export interface LabelChange {
  readonly thread: InboxThread;
  readonly before: InboxThread;
}

/** Threads and their emails. Callers have checked that the inbox belongs to the team. */
export abstract class ThreadRepository {
  /**
   * Puts an email into its thread, once: undefined if the inbox has it already, or is gone. What is received brings a
   * thread back to the folder `inbox`, unless it is spam.
   */
  abstract file(
    inboxId: string,
    email: EmailToFile,
    place: ThreadPlace,
    transaction: Transaction,
  ): Promise<FiledEmail | undefined>;

  abstract find(inboxId: string, id: string): Promise<InboxThread | undefined>;

  /** Newest activity first. */
  abstract list(inboxId: string, filter: ThreadFilter, page: PageRequest): Promise<Page<InboxThread>>;

  abstract search(
    inboxId: string,
    filter: ThreadFilter,
    search: ThreadSearch,
    page: PageRequest,
  ): Promise<Page<FoundThread>>;

  /** Throws ValidationError if the assignee is no member of the team. */
  abstract change(
    inboxId: string,
    id: string,
    changes: ThreadChanges,
    now: Date,
    transaction: Transaction,
  ): Promise<ThreadChange | undefined>;

  /** Undefined if the user is no member of the team. */
  abstract addressOf(inboxId: string, userId: string): Promise<string | undefined>;

  /** Adds, removes or replaces labels. Ids that are no labels of the inbox are ignored. */
  abstract label(
    inboxId: string,
    id: string,
    how: 'add' | 'remove' | 'replace',
    labels: readonly string[],
    transaction: Transaction,
  ): Promise<LabelChange | undefined>;

  /** The emails of a thread, newest first. */
  abstract emails(inboxId: string, threadId: string, page: PageRequest): Promise<Page<InboxEmail>>;

  abstract email(inboxId: string, threadId: string, id: string): Promise<InboxEmail | undefined>;
}
