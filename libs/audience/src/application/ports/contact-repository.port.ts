import { Page, PageRequest, Transaction } from '#kernel';
import { ContactChange, Unsubscribe } from '../../domain/contact-change.js';
import { Contact, ContactKey } from '../../domain/contact.js';
import { Activity } from '../../domain/filters/filter.js';
import { ContactProperty } from '../../domain/property.js';

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

/** The changes of contacts, and those of them that count as unsubscribing. Retention drops both by day. */
export abstract class ContactHistory {
  abstract append(changes: readonly ContactChange[], transaction: Transaction): Promise<void>;

  abstract appendUnsubscribes(unsubscribes: readonly Unsubscribe[], transaction: Transaction): Promise<void>;

  /** Newest first. */
  abstract list(teamId: string, contactId: string, page: PageRequest): Promise<Page<ContactChange>>;
}

/** What happened to mail to one address, and when it last did. */
export interface ContactAction {
  readonly teamId: string;
  /** In lower case. */
  readonly email: string;
  readonly activity: Activity;
  readonly at: Date;
}

/**
 * Stores when each contact was last sent something, opened it and clicked. The times are exact to an hour: a contact is
 * written at most once an hour for each kind, however many emails it gets and however often they are opened.
 */
export abstract class ContactActivity {
  /** Returns false if no team has contacts. */
  abstract isNeeded(transaction: Transaction): Promise<boolean>;

  /** Addresses without a contact are left out. Each address has at most one action of a kind. */
  abstract record(actions: readonly ContactAction[], transaction: Transaction): Promise<void>;
}

export type PropertyInsertion = 'inserted' | 'exists' | 'in-removal' | 'too-many';

/** Stores the contact properties of all teams. */
export abstract class PropertyRepository {
  abstract insert(property: ContactProperty, max: number, transaction: Transaction): Promise<PropertyInsertion>;

  abstract find(teamId: string, id: string): Promise<ContactProperty | undefined>;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<ContactProperty>>;

  /** The properties of teams. Within a transaction they are protected against removal until it ends. */
  abstract ofTeams(teamIds: readonly string[], transaction?: Transaction): Promise<readonly ContactProperty[]>;

  /** Returns false if the team has no such property. */
  abstract update(property: ContactProperty, transaction: Transaction): Promise<boolean>;

  /** Returns the removed property. Its values stay until they are removed in batches. */
  abstract delete(teamId: string, id: string, transaction: Transaction): Promise<ContactProperty | undefined>;
}

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
