import { Principal } from '#identity';
import { newId } from '#kernel';
import { DataSubject, ErasedPortion, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';
import { ContactSegments } from '../../application/contact-segments.use-case.js';
import { ContactTopics } from '../../application/contact-topics.use-case.js';
import { ContactRepository, Removals } from '../../application/ports/contact-repository.port.js';
import { ReadContacts } from '../../application/read-contacts.query.js';
import { RemoveContact } from '../../application/remove-contact.use-case.js';

/** Changes that are read at once. One may have some 770 KB: properties before and after it. */
const pageLimit = 10;
/** Changes of a contact in an export. */
const maxChanges = 10_000;
/** Position behind the contact. */
const histories = 'histories';
const everything = { limit: 1_000 };

/** The contact of an address, with everything that belongs to it. */
@Injectable()
export class ContactsData extends PersonalData {
  readonly name = 'contacts';

  // oxlint-disable-next-line max-params -- what a contact consists of, each from its own use case
  constructor(
    holders: PersonalDataHolders,
    private readonly contacts: ContactRepository,
    private readonly read: ReadContacts,
    private readonly members: ContactSegments,
    private readonly subscriptions: ContactTopics,
    private readonly removeContact: RemoveContact,
    private readonly removals: Removals,
  ) {
    super(holders);
  }

  async *records({ teamId, spellings }: DataSubject): AsyncGenerator<object> {
    for (const email of spellings.stored) yield* this.contact(teamId, email);
  }

  /** The history of a contact is removed in the background after its deletion, but an erasure ends only when it is gone. */
  async erase({ teamId, spellings }: DataSubject, after?: string): Promise<ErasedPortion> {
    const erased = after === undefined ? await this.remove(teamId, spellings.stored) : 0;
    const isMore = await this.removals.removeHistory(teamId);
    return { erased, next: isMore ? histories : undefined, isWaiting: false };
  }

  private async remove(teamId: string, addresses: readonly string[]): Promise<number> {
    let erased = 0;
    for (const email of addresses) {
      const removed = await this.removeContact.removeIfKnown(Principal.ofService(teamId), { email });
      if (removed !== undefined) erased++;
    }
    return erased;
  }

  private async *contact(teamId: string, email: string): AsyncGenerator<object> {
    const contact = await this.contacts.find(teamId, { email });
    if (contact === undefined) return;
    const { properties } = await this.read.find(teamId, contact.id);
    const [segments, topics] = await Promise.all([
      this.members.segmentsOf(teamId, contact.id, everything),
      this.subscriptions.topicsOf(teamId, contact.id, everything),
    ]);
    yield {
      id: contact.id,
      email: contact.email,
      first_name: contact.firstName,
      last_name: contact.lastName,
      unsubscribed: contact.unsubscribed,
      unsubscribed_at: contact.unsubscribedAt,
      bounced_at: contact.bouncedAt,
      complained_at: contact.complainedAt,
      created_at: contact.createdAt,
      updated_at: contact.updatedAt,
      properties,
      segments: segments.items.map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt })),
      topics: topics.items.map(({ topic, chosen }) => ({
        id: topic.id,
        name: topic.name,
        subscription: chosen ?? topic.defaultSubscription,
      })),
      history: this.historyOf(teamId, contact.id),
    };
  }

  /** Page by page, because all of it may be too large to hold. */
  private async *historyOf(teamId: string, contactId: string): AsyncGenerator<object> {
    let after = newId();
    for (let read = 0; read < maxChanges; read += pageLimit) {
      const { items, hasMore } = await this.read.history(teamId, contactId, { limit: pageLimit, after });
      for (const { type, source, changes, createdAt } of items) yield { type, source, changes, created_at: createdAt };
      const last = items.at(-1);
      if (!hasMore || last === undefined) return;
      after = last.id;
    }
  }
}
