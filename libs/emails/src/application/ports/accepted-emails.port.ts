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

/** Counts and traces accepted emails. */
export abstract class AcceptanceObserver {
  /** A request was accepted or was a repetition. */
  abstract completed(durationMs: number): void;

  /** To be called in the context of the request, which the trace is linked with. */
  abstract accepted(emails: readonly AcceptedEmail[]): void;

  /** A transaction with this number of requests has been committed. */
  abstract committed(requests: number, emails: readonly AcceptedEmail[]): void;
}
