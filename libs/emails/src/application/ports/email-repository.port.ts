import { Page, PageRequest, Transaction } from '#kernel';
import type { Breakdown, BreakdownKey } from '../../domain/email-breakdown.js';
import { EmailEvent, Engagement, RecipientChange, type RecipientStatus } from '../../domain/email-events.js';
import type { EventSearch, FoundEvents } from '../../domain/email-event-search.js';
import type { EmailFilter, EmailSearch, FoundEmails } from '../../domain/email-filter.js';
import { Email, EmailBody, Tag } from '../../domain/email.js';

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

/**
 * Finds emails of a team. Whatever the filter, one call examines a bounded number of emails and says where to continue.
 */
export abstract class EmailFinder {
  abstract find(teamId: string, search: EmailSearch): Promise<FoundEmails>;

  /** Events of all emails of a team, in the order in which they were written. */
  abstract events(teamId: string, search: EventSearch): Promise<FoundEvents>;
}

/** Tells to which addresses mail of a team bounced, as far as its emails are kept. */
export abstract class BouncedAddresses {
  /** When mail to each address last bounced, by the address in lower case. Examines a bounded number of emails. */
  abstract among(teamId: string, addresses: readonly string[]): Promise<ReadonlyMap<string, Date>>;
}

/** Counts what became of a team's mail. Examines a bounded number of emails, the newest first. */
export abstract class EmailBreakdowns {
  abstract count(teamId: string, by: BreakdownKey, filter: EmailFilter): Promise<Breakdown>;
}

export interface EmailRecipient {
  readonly emailId: string;
  readonly recipientNo: number;
}

/** Records opens and clicks of recipients. */
export abstract class EmailEngagements {
  /**
   * When each email was delivered to the recipient, in order; undefined if that is not recorded or no longer stored.
   */
  abstract deliveredAt(
    recipients: readonly EmailRecipient[],
    transaction: Transaction,
  ): Promise<readonly (Date | undefined)[]>;

  /**
   * Writes an event for each engagement, in order, with the next sequence number of its email. Skips engagements above
   * `maxEngagements`, and those of emails that are no longer stored.
   *
   * The email's `last_event` becomes `opened` or `clicked`, and never changes from clicked to opened. A machine does
   * not change it, and neither does a recipient whose mail bounced or was complained about.
   */
  abstract record(engagements: readonly Engagement[], transaction: Transaction): Promise<void>;
}

/** Counts of features that build on this lib, for the usage of a team. */
export abstract class TeamCounts {
  abstract broadcasts(teamId: string): Promise<number>;

  /** Runs that began in the month (UTC) of a moment. */
  abstract automationRuns(teamId: string, month: Date): Promise<number>;
}
