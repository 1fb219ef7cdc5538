import { Transaction } from '#kernel';
import { AcceptedEmail } from '../../domain/accepted-email.js';

/** One recipient of one email, to be delivered as soon as possible. */
export interface QueuedRecipient {
  readonly emailId: string;
  readonly teamId: string;
  readonly domainId: string;
  /** Region of the sending domain. */
  readonly region: string;
  readonly recipientNo: number;
  readonly address: string;
  /** Bytes of the email's content. */
  readonly size: number;
  readonly queuedAt: Date;
  /** The envelope sender. Undefined: a return path of its own. */
  readonly mailFrom?: string;
  /** Whether recipients of the email may get different content: it has merge values, or links of a topic. */
  readonly isPersonal: boolean;
  /** Bulk mail waits behind transactional mail. Absent: transactional. */
  readonly isBulk?: boolean;
}

/** One recipient of one email. */
export interface RecipientOfEmail {
  readonly emailId: string;
  readonly recipientNo: number;
}

/** The queue in which accepted mail waits for delivery. The delivery lib implements it. */
export abstract class OutboundQueue {
  /** Writes in the accepting transaction, so that a message is queued if and only if it is accepted. */
  abstract enqueue(recipients: readonly QueuedRecipient[], transaction: Transaction): Promise<void>;

  /** Makes the deferred mail of a deleted domain due now: its next attempt fails for good. */
  abstract makeDue(domainId: string, transaction: Transaction): Promise<void>;

  /**
   * Removes recipients for which no delivery is under way, and resolves with those removed. Recipients that a worker
   * has claimed stay, and so do those that another transaction is changing.
   */
  abstract withdraw(
    recipients: readonly RecipientOfEmail[],
    transaction: Transaction,
  ): Promise<readonly RecipientOfEmail[]>;

  /**
   * Wakes the workers after the commit of `enqueue`. This only saves waiting: workers also find mail without being
   * woken.
   */
  abstract wake(recipients: readonly QueuedRecipient[]): void;
}

/**
 * Scheduled emails that are not due yet. Each is either released or canceled, whichever comes first. All methods
 * decide by the same row, so that concurrent calls cannot do both.
 */
export abstract class ScheduledEmails {
  /**
   * Moves at most `limit` due emails into the outbound queue, with their events, in one transaction. The longest
   * overdue are first; while more is due than one call takes, teams take turns. Emails whose API key or domain was
   * deleted meanwhile fail. Emails that another process is releasing or changing are skipped. Resolves with the number
   * of emails, which is less than `limit` only once no more are due.
   */
  abstract release(now: Date, limit: number): Promise<number>;

  /** Returns false and changes nothing if the email is not waiting, or is not an email of this team. */
  abstract reschedule(teamId: string, emailId: string, dueAt: Date): Promise<boolean>;

  /** Returns false as `reschedule` does. */
  abstract cancel(teamId: string, emailId: string, now: Date): Promise<boolean>;

  /**
   * Ends the mail to these recipients: nothing is sent to them, and the email is canceled if it has no others. Changes
   * nothing if the email is not waiting, or is not an email of this team.
   */
  abstract withdraw(teamId: string, emailId: string, recipientNos: readonly number[], now: Date): Promise<void>;
}

/** The rows of accepted emails. */
export abstract class AcceptedEmails {
  /** Inserts screened emails with their recipients, first events and due times. At least one. */
  abstract insert(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<void>;

  /**
   * Whether the error of a transaction says that the same emails are there already. Only this process knows their ids,
   * so an earlier attempt was committed, and only its confirmation was lost.
   */
  abstract wereInsertedBefore(error: unknown): boolean;
}

/** Counts and traces accepted emails. */
export abstract class AcceptanceObserver {
  /** A request was accepted or was a repetition. */
  abstract completed(durationMs: number): void;

  /** To be called in the context of the request, which the trace is linked with. */
  abstract accepted(emails: readonly AcceptedEmail[]): void;

  /** A transaction with this number of requests has been committed. */
  abstract committed(requests: number, emails: readonly AcceptedEmail[]): void;
}
