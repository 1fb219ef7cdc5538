import { Transaction } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact, ContactKey, contactKey, PropertyValue } from '../domain/contact.js';
import { MergeFields } from '../domain/contact-merge-values.js';
import { own } from '../domain/contact-patch.js';
import { ContactProperty } from '../domain/property.js';
import { ContactRepository, PropertyRepository } from './ports/contact-repository.port.js';

/** A contact, as merges and broadcasts use it. */
export interface MergeContact extends MergeFields {
  readonly id: string;
  readonly unsubscribed: boolean;
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

  /**
   * For every address, as it was given. One that is no contact has the stored fallbacks alone. At most
   * `maxMergeContacts`.
   */
  async fieldsOf(teamId: string, addresses: readonly string[]): Promise<ReadonlyMap<string, MergeFields>> {
    if (addresses.length > maxMergeContacts) throw new RangeError('Too many contacts for one read');
    const [contacts, properties] = await Promise.all([
      this.contacts.among(teamId, [...new Set(addresses.map(contactKey))]),
      this.properties.ofTeams([teamId]),
    ]);
    const byEmail = new Map(contacts.map((contact) => [contact.email, contact]));
    const stranger = { firstName: null, lastName: null, properties: {} };
    return new Map(
      addresses.map((address) => [
        address,
        mergeFields({ ...(byEmail.get(contactKey(address)) ?? stranger), email: address }, properties),
      ]),
    );
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
  const { id, unsubscribed } = contact;
  return { id, unsubscribed, ...mergeFields(contact, properties) };
}

function mergeFields(
  { email, firstName, lastName, properties: values }: Pick<Contact, 'email' | 'firstName' | 'lastName' | 'properties'>,
  properties: readonly ContactProperty[],
): MergeFields {
  const all = properties.map(({ key, fallbackValue }): [string, PropertyValue | null] => [
    key,
    own(values, key) ?? fallbackValue,
  ]);
  const lacking = properties.filter(({ key }) => own(values, key) === undefined);
  return {
    email,
    firstName,
    lastName,
    properties: Object.fromEntries(all),
    lacking: new Set(lacking.map(({ key }) => key)),
  };
}
