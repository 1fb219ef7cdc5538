import { Transaction } from '#kernel';
import { ContactProperty } from '../../domain/property.js';
import { Subscription } from '../../domain/topic.js';
import { MergeContact } from '../contact-values.query.js';

export interface AskedMembers {
  readonly teamId: string;
  readonly segmentId: string;
  /** Key of a property whose value is selected too. */
  readonly property?: string;
}

/**
 * A query of SQL with one row per member, and columns `contact_id` and `property`. Its parameters begin with the asked one. It is
 * meant as a part of one statement that writes the members down.
 */
export interface MembersQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface AskedContacts {
  readonly teamId: string;
  /** At most `maxMergeContacts`. */
  readonly ids: readonly string[];
  readonly topicId: string | null;
  /** Only these are read, because all values of a contact may have 64 KB. */
  readonly properties: readonly ContactProperty[];
}

/** A contact with what it wants, as of one moment. */
export interface ConsentingContact extends MergeContact {
  /** For the asked topic: its choice, else the default. Null where there is no topic, or the team does not have it any more. */
  readonly subscription: Subscription | null;
}

/** Lets other libs fix an audience at one moment, and work through it later, contact by contact. */
export abstract class FixedAudience {
  /**
   * The members of a segment: those that were added to it, or those that match its filter. Undefined where the team has no such
   * segment. Sets the transaction up for a statement that reads all contacts of the team once, which must be the next one.
   */
  abstract members(
    asked: AskedMembers,
    firstParameter: number,
    transaction: Transaction,
  ): Promise<MembersQuery | undefined>;

  /** The contacts as they are now, by id. Those that were deleted are absent. */
  abstract contacts(asked: AskedContacts, transaction: Transaction): Promise<ReadonlyMap<string, ConsentingContact>>;
}
