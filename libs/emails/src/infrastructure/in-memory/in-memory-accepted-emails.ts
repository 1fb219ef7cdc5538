import { inMemory, Transaction } from '#kernel';
import { AcceptedEmails } from '../../application/ports/accepted-emails.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';
import { InMemoryEmail, InMemoryEmails } from './in-memory-emails.js';

/** Keeps accepted emails in memory, for tests. */
export class InMemoryAcceptedEmails extends AcceptedEmails {
  constructor(private readonly emails: InMemoryEmails) {
    super();
  }

  async insert(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<void> {
    for (const accepted of emails) {
      const { id, scheduledAt } = accepted.email;
      this.emails.byId.set(id, new InMemoryEmail(accepted));
      if (scheduledAt !== null) this.emails.waiting.set(id, scheduledAt);
      inMemory(transaction).onRollback(() => {
        this.emails.byId.delete(id);
        this.emails.waiting.delete(id);
      });
    }
  }

  /** A commit in memory is always confirmed. */
  wereInsertedBefore(): boolean {
    return false;
  }
}
