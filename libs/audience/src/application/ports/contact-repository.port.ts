import { Page, PageRequest, Transaction } from '#kernel';
import { Contact, ContactKey } from '../../domain/contact.js';

export interface ContactFilter {
  /** Only members that were added to this segment. */
  readonly segmentId?: string;
  /** Only contacts whose address or name begins with these words, without regard to case. */
  readonly search?: ContactSearch;
}

export interface SearchedNames {
  readonly first: string;
  readonly last: string;
}

export interface ContactSearch {
  /** Begins the address, the first name or the last name. */
  readonly text: string;
  /**
   * Where there are several words: the first name, and the beginning of the last name, for each way to divide the
   * words.
   */
  readonly names?: readonly SearchedNames[];
}

export class AddressTakenError extends Error {}

/** Stores the contacts of all teams. Every `email` here is in the form that `contactKey` returns. */
export abstract class ContactRepository {
  /**
   * Adds the contacts whose address is new in their team, and locks all of them until the transaction ends. Returns the
   * stored contact of each address, in the order of the request: with the given id if it was added. Each address is
   * given once.
   */
  abstract put(contacts: readonly Contact[], transaction: Transaction): Promise<readonly Contact[]>;

  /** Locks contacts until the transaction ends. Returns them in the order of the request; undefined for unknown ones. */
  abstract lock(
    teamId: string,
    keys: readonly ContactKey[],
    transaction: Transaction,
  ): Promise<readonly (Contact | undefined)[]>;

  /** Writes locked contacts. Throws AddressTakenError if another contact of the team has the address. */
  abstract update(contacts: readonly Contact[], transaction: Transaction): Promise<void>;

  abstract find(teamId: string, key: ContactKey): Promise<Contact | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest, filter: ContactFilter): Promise<Page<Contact>>;

  /** With its memberships and subscriptions. */
  abstract remove(contact: Contact, transaction: Transaction): Promise<void>;

  /** Takes the same time for every number of contacts. */
  abstract count(teamId: string): Promise<number>;

  /** Contacts of one statement, oldest first, for those who work through all of them. */
  abstract next(
    teamId: string,
    after: string | undefined,
    limit: number,
    segmentId?: string,
  ): Promise<readonly Contact[]>;

  /** The contacts of addresses, in any order, without unknown ones. */
  abstract among(teamId: string, emails: readonly string[], transaction?: Transaction): Promise<readonly Contact[]>;
}
