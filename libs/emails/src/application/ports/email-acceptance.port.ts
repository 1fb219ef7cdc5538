import { AcceptedEmail } from '../../domain/accepted-email.js';

/** Where accepted emails become durable. */
export abstract class EmailAcceptance {
  /**
   * Resolves when all of the emails, their contents, recipients, first events and queue entries are durably committed
   * together; when it throws, none is. Concurrent calls may share a transaction but never each other's faults.
   */
  abstract accept(emails: readonly AcceptedEmail[]): Promise<void>;
}
