import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact, ContactKey, contactKey, PropertyValue } from '../domain/contact.js';
import { own } from '../domain/contact-patch.js';
import { ContactProperty } from '../domain/property.js';
import { ContactRepository } from './ports/contact-repository.port.js';
import { PropertyRepository } from './ports/property-repository.port.js';

/** What a merge may use of a contact. */
export interface MergeContact {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly unsubscribed: boolean;
  /** By key: the value of the contact, else the fallback of the property; null where there is neither. */
  readonly properties: Readonly<Record<string, PropertyValue | null>>;
  /** Keys of properties of which the contact has no value of its own. */
  readonly lacking: ReadonlySet<string>;
}

/** Maximum number of contacts of one call. */
export const maxMergeContacts = 1_000;

/** Reads contacts for merges and for broadcasts, in bounded portions. */
@Injectable()
export class ContactValues {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly properties: PropertyRepository,
  ) {}

  /** By address in lower case, without addresses that are no contact. At most `maxMergeContacts` addresses. */
  async of(
    teamId: string,
    addresses: readonly string[],
    transaction?: Transaction,
  ): Promise<ReadonlyMap<string, MergeContact>> {
    if (addresses.length > maxMergeContacts) throw new RangeError('Too many contacts for one read');
    const emails = [...new Set(addresses.map(contactKey))];
    const [contacts, properties] = await Promise.all([
      emails.length === 0 ? [] : this.contacts.among(teamId, emails, transaction),
      this.properties.ofTeams([teamId]),
    ]);
    return new Map(contacts.map((contact) => [contact.email, mergeContact(contact, properties)]));
  }

  /** One contact, by its id or its address. */
  async find(teamId: string, key: ContactKey): Promise<MergeContact | undefined> {
    const contact = await this.contacts.find(teamId, 'email' in key ? { email: contactKey(key.email) } : key);
    return contact === undefined ? undefined : mergeContact(contact, await this.properties.ofTeams([teamId]));
  }

  /** The properties of a team, which are the names that a merge may use. */
  propertiesOf(teamId: string): Promise<readonly ContactProperty[]> {
    return this.properties.ofTeams([teamId]);
  }

  /**
   * Contacts of the team, or the members that were added to a segment, oldest first, from the one behind `after`. An empty
   * portion is the end. Contacts that are added meanwhile may be left out.
   */
  async next(
    teamId: string,
    { after, limit, segmentId }: { readonly after?: string; readonly limit: number; readonly segmentId?: string },
  ): Promise<readonly MergeContact[]> {
    if (limit > maxMergeContacts) throw new RangeError('Too many contacts for one read');
    const [contacts, properties] = await Promise.all([
      this.contacts.next(teamId, after, limit, segmentId),
      this.properties.ofTeams([teamId]),
    ]);
    return contacts.map((contact) => mergeContact(contact, properties));
  }
}

function mergeContact(contact: Contact, properties: readonly ContactProperty[]): MergeContact {
  const { id, email, firstName, lastName, unsubscribed } = contact;
  const values = properties.map(({ key, fallbackValue }): [string, PropertyValue | null] => [
    key,
    own(contact.properties, key) ?? fallbackValue,
  ]);
  const lacking = properties.filter(({ key }) => own(contact.properties, key) === undefined);
  return {
    ...{ id, email, firstName, lastName, unsubscribed },
    properties: Object.fromEntries(values),
    lacking: new Set(lacking.map(({ key }) => key)),
  };
}
