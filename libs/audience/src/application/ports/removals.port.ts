import { Transaction } from '#kernel';

/** What is left to remove of something that was deleted. */
export type Removal =
  | { readonly kind: 'segment' | 'topic'; readonly teamId: string; readonly subjectId: string }
  | { readonly kind: 'property'; readonly teamId: string; readonly subjectId: string; readonly key: string }
  /** The history of a contact, up to an entry. */
  | { readonly kind: 'history'; readonly teamId: string; readonly subjectId: string; readonly upTo: string };

/**
 * Removes the many rows of a deleted segment, topic, property or contact in batches after the deletion, so that no request
 * takes time that grows with the number of contacts.
 */
export abstract class Removals {
  /** Remembers a removal, within the transaction of the deletion. */
  abstract add(removal: Removal, now: Date, transaction: Transaction): Promise<void>;

  /** Removes one batch of the oldest removal that no other process works on. Returns false if there is none. */
  abstract step(): Promise<boolean>;

  /** Removes one batch of the history of a deleted contact of the team. Returns whether more is left. */
  abstract removeHistory(teamId: string): Promise<boolean>;
}
