import { found, isUuid, NotFoundError, Page, PageRequest, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Contact, contactKey, ContactKey, PropertyValue } from '../domain/contact.js';
import { ContactChange } from '../domain/contact-change.js';
import { own } from '../domain/contact-patch.js';
import { PropertyType } from '../domain/property.js';
import { segmentThing } from '../domain/segment.js';
import { SegmentMembers } from './filters/segment-members.query.js';
import {
  ContactHistory,
  ContactRepository,
  ContactSearch,
  PropertyRepository,
} from './ports/contact-repository.port.js';
import { SegmentRepository } from './ports/segment-repository.port.js';

export interface ContactInFull {
  readonly contact: Contact;
  /** Its values of properties that exist, by key. */
  readonly properties: Readonly<Record<string, { readonly type: PropertyType; readonly value: PropertyValue }>>;
}

const maxSearchLength = 320;
/** Maximum number of words of a first name that is searched together with a last name. */
const maxFirstNames = 4;

/** A UUID is an id, everything else an address (docs/wire-contract.md section 1.3). */
export function keyOf(idOrEmail: string): ContactKey {
  return isUuid(idOrEmail) ? { id: idOrEmail.toLowerCase() } : { email: contactKey(idOrEmail) };
}

/** Reads and lists the contacts of a team. */
@Injectable()
export class ReadContacts {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly properties: PropertyRepository,
    private readonly segments: SegmentRepository,
    private readonly changes: ContactHistory,
    private readonly members: SegmentMembers,
  ) {}

  async find(teamId: string, idOrEmail: string): Promise<ContactInFull> {
    const [contact, properties] = await Promise.all([
      this.contacts.find(teamId, keyOf(idOrEmail)),
      this.properties.ofTeams([teamId]),
    ]);
    const known = found('Contact', contact);
    const values = properties.flatMap(({ key, type }) => {
      const value = own(known.properties, key);
      return value === undefined ? [] : [[key, { type, value }] as const];
    });
    return { contact: known, properties: Object.fromEntries(values) };
  }

  /** @param search what the address or a name begins with, or first name and last name. */
  async list(teamId: string, page: PageRequest, search: string | undefined): Promise<Page<Contact>> {
    return this.contacts.list(teamId, page, { search: searchOf(search) });
  }

  /** The members of a segment: added ones, or those that match its filter now. */
  async ofSegment(
    teamId: string,
    segmentId: string,
    page: PageRequest,
    search: string | undefined,
  ): Promise<Page<Contact>> {
    if (!isUuid(segmentId)) throw new NotFoundError(segmentThing);
    return this.members.page(teamId, segmentId, page, searchOf(search));
  }

  async requireSegment(teamId: string, segmentId: string): Promise<void> {
    if (!isUuid(segmentId)) throw new NotFoundError(segmentThing);
    found(segmentThing, await this.segments.find(teamId, segmentId));
  }

  /** The changes of a contact, newest first. Of a deleted one, by its id, what remains of them. */
  async history(teamId: string, idOrEmail: string, page: PageRequest): Promise<Page<ContactChange>> {
    const key = keyOf(idOrEmail);
    const id = 'id' in key ? key.id : found('Contact', await this.contacts.find(teamId, key)).id;
    const history = await this.changes.list(teamId, id, page);
    if (history.items.length === 0) found('Contact', await this.contacts.find(teamId, { id }));
    return history;
  }
}

function searchOf(text: string | undefined): ContactSearch | undefined {
  const searched = (text ?? '').trim();
  if (searched === '') return undefined;
  if (searched.length > maxSearchLength || searched.includes('\0')) {
    throw new ValidationError(`The \`search\` may have at most ${maxSearchLength} characters.`);
  }
  const words = searched.split(/\s+/);
  if (words.length === 1) return { text: searched };
  const names = words.slice(1, maxFirstNames + 1).map((_, n) => ({
    first: words.slice(0, n + 1).join(' '),
    last: words.slice(n + 1).join(' '),
  }));
  return { text: searched, names };
}
