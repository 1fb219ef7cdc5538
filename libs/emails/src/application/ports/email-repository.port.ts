import { Page, PageRequest, Transaction } from '#kernel';
import { Email, EmailBody, Tag } from '../../domain/email.js';
import { EmailEvent, RecipientChange } from '../../domain/email-events.js';
import type { RecipientStatus } from '../../domain/email-status.js';

export interface StoredEmail {
  readonly email: Email;
  readonly body: EmailBody;
}

export abstract class EmailRepository {
  /**
   * Finds an email without its content. With `teamId`, only an email of this team. Without it, an email of any team,
   * for signed links.
   */
  abstract find(id: string, teamId?: string): Promise<Email | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Email>>;

  /** Emails of any team, in any order. Unknown ids are absent. */
  abstract findAll(ids: readonly string[]): Promise<readonly Email[]>;

  /** Events of one email with a number above `after`, in order. */
  abstract events(teamId: string, id: string, after: number, limit: number): Promise<readonly EmailEvent[]>;

  /** Emails with their bodies and attachments, for delivery. Unknown ids are absent. */
  abstract load(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingEmail>>;

  /** The team of each of the emails, by email id. Unknown ids are absent. */
  abstract teamsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>>;

  /** The tags of those of the emails that have some, by email id. */
  abstract tagsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Tag[]>>;

  /** The topic of each of the emails that have one, by email id. */
  abstract topicsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>>;

  /**
   * Reads the current state of a recipient, and locks it until the transaction ends. Undefined if it is not known.
   */
  abstract lockRecipient(emailId: string, no: number, transaction: Transaction): Promise<LockedRecipient | undefined>;

  /**
   * Changes the states of recipients, and writes an event for each change with the next number of its email. A
   * recipient in a final state does not change and gets no event, with one exception: after `delivered` there may be a
   * bounce, a complaint, or a notice that delivery is delayed.
   */
  abstract recordChanges(changes: readonly RecipientChange[], transaction: Transaction): Promise<void>;
}

/** A recipient that is locked until the transaction ends. */
export interface LockedRecipient {
  readonly teamId: string;
  readonly address: string;
  readonly status: RecipientStatus;
  /** True if the recipient has a `delivery_delayed` event. */
  readonly wasDelayed: boolean;
}

export interface OutgoingEmail extends StoredEmail {
  /** Contents by attachment id. */
  readonly attachmentContents: ReadonlyMap<string, Uint8Array>;
  /** Set for an email that arrived as a finished MIME message. It is sent unchanged, and `body` is empty. */
  readonly mime?: Uint8Array;
  /** Set if the body has tags for the link to unsubscribe: the body with the link of one recipient in their place. */
  readonly bodyFor?: (unsubscribeUrl: string) => EmailBody;
}
