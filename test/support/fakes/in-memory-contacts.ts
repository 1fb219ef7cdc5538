import { Page, PageRequest, Transaction } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  AddressTakenError,
  ContactFilter,
  ContactRepository,
  ContactSearch,
} from '../../../libs/audience/src/application/ports/contact-repository.port.js';
import { Contact, ContactKey } from '../../../libs/audience/src/domain/contact.js';
import { InMemoryMemberships } from './in-memory-groups.js';

export class InMemoryContacts extends ContactRepository {
  private readonly rows = new InMemoryRows<Contact>();

  constructor(private readonly memberships: InMemoryMemberships) {
    super();
  }

  async put(contacts: readonly Contact[], transaction: Transaction): Promise<readonly Contact[]> {
    return contacts.map((contact) => {
      const known = this.byKey(contact.teamId, contact);
      if (known === undefined) this.rows.set(contact, transaction);
      return known ?? contact;
    });
  }

  async lock(teamId: string, keys: readonly ContactKey[]): Promise<readonly (Contact | undefined)[]> {
    return keys.map((key) => this.byKey(teamId, key));
  }

  async update(contacts: readonly Contact[], transaction: Transaction): Promise<void> {
    for (const contact of contacts) {
      const other = this.byKey(contact.teamId, { email: contact.email });
      if (other !== undefined && other.id !== contact.id) throw new AddressTakenError();
      this.rows.set(contact, transaction);
    }
  }

  async find(teamId: string, key: ContactKey): Promise<Contact | undefined> {
    return this.byKey(teamId, key);
  }

  async list(teamId: string, page: PageRequest, { segmentId, search }: ContactFilter): Promise<Page<Contact>> {
    return this.rows.page(
      page,
      (row) =>
        row.teamId === teamId &&
        (segmentId === undefined || this.memberships.has(segmentId, row.id)) &&
        (search === undefined || matches(row, search)),
    );
  }

  async remove({ id }: Contact, transaction: Transaction): Promise<void> {
    this.rows.delete(id, transaction);
    this.memberships.removeContact(id, transaction);
  }

  async count(teamId: string): Promise<number> {
    return this.rows.where((row) => row.teamId === teamId).length;
  }

  async next(
    teamId: string,
    after: string | undefined,
    limit: number,
    segmentId?: string,
  ): Promise<readonly Contact[]> {
    const rows = this.rows.where(
      ({ id, teamId: team }) =>
        team === teamId &&
        (after === undefined || id > after) &&
        (segmentId === undefined || this.memberships.has(segmentId, id)),
    );
    return rows.slice(0, limit);
  }

  async among(teamId: string, emails: readonly string[]): Promise<readonly Contact[]> {
    return this.rows.where((row) => row.teamId === teamId && emails.includes(row.email));
  }

  private byKey(teamId: string, key: ContactKey): Contact | undefined {
    const isMeant = (row: Contact): boolean => ('email' in key ? row.email === key.email : row.id === key.id);
    return this.rows.where((row) => row.teamId === teamId && isMeant(row))[0];
  }
}

function matches({ email, firstName, lastName }: Contact, { text, names = [] }: ContactSearch): boolean {
  const begins = (value: string | null, prefix: string): boolean =>
    value?.toLowerCase().startsWith(prefix.toLowerCase()) === true;
  return (
    [email, firstName, lastName].some((value) => begins(value, text)) ||
    names.some(({ first, last }) => firstName?.toLowerCase() === first.toLowerCase() && begins(lastName, last))
  );
}
