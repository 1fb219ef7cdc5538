import { Transaction } from '#kernel';
import { ContactProperty } from '../../domain/property.js';
import { Subscription } from '../../domain/topic.js';
import { MergeContact } from '../contact-values.query.js';

export interface AskedContacts {
  readonly teamId: string;
  /** At most `maxMergeContacts`. */
  readonly ids: readonly string[];
  readonly topicId: string | null;
  /** Only these are read, because all values of a contact may have 64 KB. */
  readonly properties: readonly ContactProperty[];
}

/** A contact with its consent, as of one moment. */
export interface ConsentingContact extends MergeContact {
  /**
   * For the asked topic: its choice, else the default. Null if there is no topic, or the team does not have it any
   * more.
   */
  readonly subscription: Subscription | null;
}

/** Lets other libs work through an audience that they have written down, contact by contact. */
export abstract class ConsentingContacts {
  /** The contacts as they are now, by id. Deleted ones are absent. */
  abstract read(asked: AskedContacts, transaction: Transaction): Promise<ReadonlyMap<string, ConsentingContact>>;

  /** The ids of contacts of a team in their order, at most `limit`, from the one behind `after`. */
  abstract idsBehind(
    teamId: string,
    after: string | undefined,
    limit: number,
    transaction: Transaction,
  ): Promise<readonly string[]>;
}
