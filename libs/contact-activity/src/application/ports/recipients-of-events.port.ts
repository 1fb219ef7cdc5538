import { ContactAction } from '#audience';
import type { EventSpan } from '#emails';
import { Transaction } from '#kernel';

/** Reads whom events are about. */
export abstract class RecipientsOfEvents {
  /** The last time of each kind for each address, in one statement. Events of emails that were removed are left out. */
  abstract actions(span: EventSpan, transaction: Transaction): Promise<readonly ContactAction[]>;
}
