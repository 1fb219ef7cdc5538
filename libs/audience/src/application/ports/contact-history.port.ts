import { Page, PageRequest, Transaction } from '#kernel';
import { ContactChange, Unsubscribe } from '../../domain/contact-change.js';

/** The changes of contacts, and those of them that count as unsubscribing. Retention drops both by day. */
export abstract class ContactHistory {
  abstract append(changes: readonly ContactChange[], transaction: Transaction): Promise<void>;

  abstract appendUnsubscribes(unsubscribes: readonly Unsubscribe[], transaction: Transaction): Promise<void>;

  /** Newest first. */
  abstract list(teamId: string, contactId: string, page: PageRequest): Promise<Page<ContactChange>>;
}
