import { Page, pageOf, PageRequest, Transaction, ValidationError, isUuid } from '#kernel';
import {
  boundsOf,
  Database,
  idsWithin,
  keysetCondition,
  nearestFirst,
  rangeOf,
  statementsOf,
} from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { EmailRepository, LockedRecipient, OutgoingEmail } from '../../application/ports/email-repository.port.js';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { Email, Tag } from '../../domain/email.js';
import { EmailEvent, RecipientChange } from '../../domain/email-events.js';
import { changesStatement } from './changes-statement.js';
import { emailColumns, emailOf, EmailRow } from './email.row.js';
import { lockRecipient } from './lock-recipient.js';
import { RecentEmails } from '../../application/recent-emails.js';
import { outgoingEmails, storedIdsOf } from '../../application/stored-content.js';

@Injectable()
export class PostgresEmailRepository extends EmailRepository {
  constructor(
    private readonly database: Database,
    private readonly store: MessageStore,
    private readonly recent: RecentEmails,
  ) {
    super();
  }

  async find(id: string, teamId?: string): Promise<Email | undefined> {
    // Without a name: the range, which lets PostgreSQL skip the partitions of other days, is part of the text.
    const [row] = await this.database.query<EmailRow>({
      text: `SELECT ${emailColumns} FROM emails
             WHERE id = $1 AND ${idsWithin('id', rangeOf(id))} ${teamId === undefined ? '' : 'AND team_id = $2'}`,
      values: teamId === undefined ? [id] : [id, teamId],
    });
    return row && emailOf(row);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Email>> {
    const cursor = page.after ?? page.before;
    if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of an email.');
    const rows = await nearestFirst(page, (range) => {
      const { condition, order, values } = keysetCondition(page, 2, range);
      return this.database.query<EmailRow>({
        text: `SELECT ${emailColumns} FROM emails WHERE team_id = $1 ${condition} ${order}`,
        values: [teamId, ...values],
      });
    });
    return pageOf(page, rows.map(emailOf));
  }

  async findAll(ids: readonly string[]): Promise<readonly Email[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<EmailRow>({
      text: `SELECT ${emailColumns} FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [ids, ...boundsOf(ids)],
    });
    return rows.map(emailOf);
  }

  async events(teamId: string, id: string, after: number, limit: number): Promise<readonly EmailEvent[]> {
    return this.database.query<EmailEvent & Record<string, unknown>>({
      name: 'email-events',
      text: `SELECT v.email_id AS "emailId", v.seq, v.type, r.address AS recipient, v.data,
                    v.created_at AS "createdAt"
             FROM email_events v JOIN emails e ON e.id = v.email_id
             LEFT JOIN recipients r ON r.email_id = v.email_id AND r.no = v.recipient_no
             WHERE v.email_id = $1 AND e.id = $1 AND e.team_id = $2 AND v.seq > $3 ORDER BY v.seq LIMIT $4`,
      values: [id, teamId, after, limit],
    });
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingEmail>> {
    const emails = new Map<string, OutgoingEmail>();
    const stored: string[] = [];
    for (const id of ids) {
      const recent = this.recent.get(id);
      if (recent === undefined) stored.push(id);
      else emails.set(id, recent);
    }
    for (const email of await this.loadStored(stored)) emails.set(email.email.id, email);
    this.recent.handedOver(ids);
    return emails;
  }

  async teamsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await statementsOf(transaction).query<{ id: string; teamId: string }>({
      text: `SELECT id, team_id AS "teamId" FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [ids, ...boundsOf(ids)],
    });
    return new Map(rows.map(({ id, teamId }) => [id, teamId]));
  }

  async tagsOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly Tag[]>> {
    const recent = ids.flatMap((id) => this.recent.get(id)?.email ?? []);
    const known = new Set(recent.map(({ id }) => id));
    const stored = ids.filter((id) => !known.has(id));
    const rows =
      stored.length === 0
        ? []
        : await this.database.query<{ id: string; tags: readonly Tag[] | null }>({
            name: 'tags-of-emails',
            text: `SELECT id, tags FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3 AND tags IS NOT NULL`,
            values: [stored, ...boundsOf(stored)],
          });
    return new Map([...recent, ...rows].flatMap(({ id, tags }) => (tags === null ? [] : [[id, tags] as const])));
  }

  async topicsOf(ids: readonly string[], transaction: Transaction): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await statementsOf(transaction).query<{ id: string; topicId: string }>({
      name: 'topics-of-emails',
      text: `SELECT id, topic_id AS "topicId" FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3 AND topic_id IS NOT NULL`,
      values: [ids, ...boundsOf(ids)],
    });
    return new Map(rows.map(({ id, topicId }) => [id, topicId]));
  }

  lockRecipient(emailId: string, no: number, transaction: Transaction): Promise<LockedRecipient | undefined> {
    return lockRecipient(emailId, no, statementsOf(transaction));
  }

  async recordChanges(changes: readonly RecipientChange[], transaction: Transaction): Promise<void> {
    if (changes.length > 0) await statementsOf(transaction).execute(changesStatement(changes));
  }

  private async loadStored(ids: readonly string[]): Promise<OutgoingEmail[]> {
    if (ids.length === 0) return [];
    const emails = await this.findAll(ids);
    return outgoingEmails(emails, await this.store.get(storedIdsOf(emails)));
  }
}
