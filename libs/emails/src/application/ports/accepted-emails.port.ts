import { Transaction } from '#kernel';
import { AcceptedEmail } from '../../domain/accepted-email.js';

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
