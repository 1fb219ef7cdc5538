import { Page, PageRequest, Transaction } from '#kernel';
import { Email, EmailBody } from '../../domain/email.js';
import { EmailEvent, RecipientChange } from '../../domain/email-events.js';
import type { RecipientStatus } from '../../domain/email-status.js';

export interface StoredEmail {
  readonly email: Email;
  readonly body: EmailBody;
}

export abstract class EmailRepository {
  /**
   * An email without its content: of this team, to which another team's id is as unknown as one that does not exist, or of
   * any team where a signed link stands in for it.
   */
  abstract find(id: string, teamId?: string): Promise<Email | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<Email>>;

  /** Events of one email behind number `after`, in order. */
  abstract events(teamId: string, id: string, after: number, limit: number): Promise<readonly EmailEvent[]>;

  /** Emails with their bodies and attachments, for delivery. Unknown ids are absent. */
  abstract load(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingEmail>>;

  /** The team of each of the emails, by email id. Unknown ids are absent. */
  abstract teamsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>>;

  /** The recipient as it is now. Until the transaction ends nobody else changes it. Undefined where it is not known. */
  abstract lockRecipient(emailId: string, no: number, transaction: Transaction): Promise<LockedRecipient | undefined>;

  /**
   * Moves recipients on and writes the event of each move with the next number of its email. A recipient that is
   * already in a final state stays there, without an event; what was delivered may still bounce, be complained about, or
   * have it told that it is late.
   */
  abstract recordChanges(changes: readonly RecipientChange[], transaction: Transaction): Promise<void>;
}

/** A recipient that nobody else changes at the moment. */
export interface LockedRecipient {
  readonly teamId: string;
  readonly address: string;
  readonly status: RecipientStatus;
  /** It has an event which says that its delivery is delayed. */
  readonly wasDelayed: boolean;
}

export interface OutgoingEmail extends StoredEmail {
  /** Contents by attachment id. */
  readonly attachmentContents: ReadonlyMap<string, Uint8Array>;
  /** Set where the email came as a finished MIME message: it is sent as it came, and `body` is empty. */
  readonly mime?: Uint8Array;
}
