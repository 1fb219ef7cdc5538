import { Page, PageRequest, Transaction } from '#kernel';
import { ContactChange } from '../../domain/contact-change.js';

/** The changes of contacts. Retention drops them by day. */
export abstract class ContactHistory {
  abstract append(changes: readonly ContactChange[], transaction: Transaction): Promise<void>;

  /** Newest first. */
  abstract list(teamId: string, contactId: string, page: PageRequest): Promise<Page<ContactChange>>;
}
