import { Page, pageOf, PageRequest, Transaction } from '#kernel';
import { Database, ReadDatabase, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import {
  AddressTakenError,
  ContactFilter,
  ContactRepository,
} from '../../application/ports/contact-repository.port.js';
import { Contact, ContactKey } from '../../domain/contact.js';
import { columnNames, contactColumns, ContactRow, unnestedArrays, valuesOf, writtenColumns } from './contact-row.js';
import { ContactPages } from './contact-pages.js';

const uniqueViolation = '23505';

@Injectable()
export class PostgresContactRepository extends ContactRepository {
  private readonly pages: ContactPages;

  constructor(
    private readonly database: Database,
    reads: ReadDatabase,
  ) {
    super();
    this.pages = new ContactPages(reads);
  }

  async put(contacts: readonly Contact[], transaction: Transaction): Promise<readonly Contact[]> {
    const statements = statementsOf(transaction);
    // The update changes nothing, and its condition keeps it from writing. It locks the contacts that exist. All
    // writers lock in the order of team and address, so that they cannot deadlock.
    const inserted = await statements.query<{ id: string }>({
      name: 'put-contacts',
      text: `INSERT INTO contacts (${columnNames})
             SELECT * FROM unnest(${unnestedArrays}) AS given (${columnNames}) ORDER BY given.team_id, given.email
             ON CONFLICT (team_id, email) DO UPDATE SET email = EXCLUDED.email WHERE false
             RETURNING id`,
      values: valuesOf(contacts),
    });
    if (inserted.length === contacts.length) return contacts;
    const ids = new Set(inserted.map(({ id }) => id));
    const known = contacts.filter(({ id }) => !ids.has(id));
    const rows = await statements.query<ContactRow>({
      name: 'contacts-by-address',
      text: `SELECT ${contactColumns('c')}
             FROM unnest($1::uuid[], $2::text[]) AS given (team_id, email)
             JOIN contacts c ON c.team_id = given.team_id AND c.email = given.email`,
      values: [known.map(({ teamId }) => teamId), known.map(({ email }) => email)],
    });
    const byAddress = new Map(rows.map((row) => [`${row.teamId} ${row.email}`, row]));
    return contacts.map((contact) => byAddress.get(`${contact.teamId} ${contact.email}`) ?? contact);
  }

  async lock(
    teamId: string,
    keys: readonly ContactKey[],
    transaction: Transaction,
  ): Promise<readonly (Contact | undefined)[]> {
    const ids = keys.flatMap((key) => ('id' in key ? [key.id] : []));
    const emails = keys.flatMap((key) => ('email' in key ? [key.email] : []));
    const rows = await statementsOf(transaction).query<ContactRow>({
      name: ids.length > 0 ? 'lock-contacts-by-id' : 'lock-contacts-by-address',
      text: `SELECT ${contactColumns('c')} FROM contacts c
             WHERE c.team_id = $1 AND ${ids.length > 0 ? 'c.id = ANY($2::uuid[])' : 'c.email = ANY($2::text[])'}
             ORDER BY c.team_id, c.email FOR UPDATE`,
      values: [teamId, ids.length > 0 ? ids : emails],
    });
    return keys.map((key) => rows.find((row) => ('id' in key ? row.id === key.id : row.email === key.email)));
  }

  async update(contacts: readonly Contact[], transaction: Transaction): Promise<void> {
    const set = writtenColumns.slice(2).filter(([name]) => name !== 'created_at');
    try {
      await statementsOf(transaction).execute({
        name: 'update-contacts',
        text: `UPDATE contacts AS c SET ${set.map(([name]) => `${name} = given.${name}`).join(', ')}
               FROM unnest(${unnestedArrays}) AS given (${columnNames}) WHERE c.id = given.id`,
        values: valuesOf(contacts),
      });
    } catch (error) {
      if ((error as { code?: unknown }).code === uniqueViolation) throw new AddressTakenError();
      throw error;
    }
  }

  async find(teamId: string, key: ContactKey): Promise<Contact | undefined> {
    const [row] = await this.database.query<ContactRow>({
      name: 'id' in key ? 'find-contact-by-id' : 'find-contact-by-address',
      text: `SELECT ${contactColumns('c')} FROM contacts c
             WHERE c.team_id = $1 AND ${'id' in key ? 'c.id = $2' : 'c.email = $2'}`,
      values: [teamId, 'id' in key ? key.id : key.email],
    });
    return row;
  }

  async list(teamId: string, page: PageRequest, filter: ContactFilter): Promise<Page<Contact>> {
    return pageOf(page, await this.pages.read(teamId, page, filter));
  }

  async remove({ id, teamId }: Contact, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'DELETE FROM contacts WHERE id = $1 AND team_id = $2',
      values: [id, teamId],
    });
  }

  async count(teamId: string): Promise<number> {
    const [row] = await this.database.query<{ contacts: string }>({
      text: 'SELECT coalesce(sum(contacts), 0) AS contacts FROM contact_counts WHERE team_id = $1',
      values: [teamId],
    });
    return Number(row?.contacts ?? 0);
  }

  next(teamId: string, after: string | undefined, limit: number, segmentId?: string): Promise<readonly Contact[]> {
    const first = '00000000-0000-0000-0000-000000000000';
    return segmentId === undefined
      ? this.database.query<ContactRow>({
          name: 'next-contacts',
          text: `SELECT ${contactColumns('c')} FROM contacts c WHERE c.team_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3`,
          values: [teamId, after ?? first, limit],
        })
      : this.database.query<ContactRow>({
          name: 'next-members',
          text: `SELECT ${contactColumns('c')}
                 FROM (SELECT contact_id FROM segment_contacts WHERE segment_id = $4 AND team_id = $1 AND contact_id > $2
                       ORDER BY contact_id LIMIT $3) m
                 JOIN contacts c ON c.id = m.contact_id ORDER BY c.id`,
          values: [teamId, after ?? first, limit, segmentId],
        });
  }

  among(teamId: string, emails: readonly string[], transaction?: Transaction): Promise<readonly Contact[]> {
    const statement = {
      name: 'contacts-among',
      text: `SELECT ${contactColumns('c')} FROM contacts c WHERE c.team_id = $1 AND c.email = ANY($2::text[])`,
      values: [teamId, emails],
    };
    return transaction === undefined
      ? this.database.query<ContactRow>(statement)
      : statementsOf(transaction).query<ContactRow>(statement);
  }
}
