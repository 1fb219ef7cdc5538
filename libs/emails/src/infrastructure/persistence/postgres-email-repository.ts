import { Page, pageOf, PageRequest, Transaction, ValidationError, isUuid } from '#kernel';
import { boundsOf, Database, idsWithin, IdRange, nearestFirst, rangeOf, statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, Equal, FindOperator, LessThan, MoreThan, Raw, Repository } from 'typeorm';
import { EmailRepository, LockedRecipient, OutgoingEmail } from '../../application/ports/email-repository.port.js';
import { MessageStore } from '../../application/ports/message-store.port.js';
import { Email } from '../../domain/email.js';
import { EmailEvent, RecipientChange } from '../../domain/email-events.js';
import { changesStatement } from './changes-statement.js';
import { EmailRow } from './email.row.js';
import { lockRecipient } from './lock-recipient.js';
import { RecentEmails } from './recent-emails.js';
import { outgoingEmails, storedIdsOf } from './stored-content.js';

@Injectable()
export class PostgresEmailRepository extends EmailRepository {
  constructor(
    @InjectRepository(EmailRow) private readonly rows: Repository<EmailRow>,
    private readonly database: Database,
    private readonly store: MessageStore,
    private readonly recent: RecentEmails,
  ) {
    super();
  }

  async find(id: string, teamId?: string): Promise<Email | undefined> {
    const isId = And(Equal(id), idWithin(rangeOf(id)));
    const where = teamId === undefined ? { id: isId } : { id: isId, teamId };
    return (await this.database.readWithOrm(this.rows, (rows) => rows.findOneBy(where))) ?? undefined;
  }

  async list(teamId: string, page: PageRequest): Promise<Page<Email>> {
    const emails = await nearestFirst(page, (range) =>
      this.database.readWithOrm(this.rows, (rows) =>
        rows.find({
          where: { teamId, ...cursorCondition(page, range) },
          order: { id: page.before === undefined ? 'DESC' : 'ASC' },
          take: page.limit + 1,
        }),
      ),
    );
    return pageOf(page, emails);
  }

  async findAll(ids: readonly string[]): Promise<readonly Email[]> {
    if (ids.length === 0) return [];
    // Without the ORM, which takes 45 us to put one together.
    const rows = await this.database.query<Record<string, unknown>>({
      text: `SELECT ${columnsOf(this.rows)} FROM emails WHERE id = ANY($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [ids, ...boundsOf(ids)],
    });
    return rows.map((row) => Object.assign(new EmailRow(), row));
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

function columnsOf({ metadata }: Repository<EmailRow>): string {
  const selected = metadata.columns.filter(({ isSelect }) => isSelect);
  return selected.map(({ databaseName, propertyName }) => `"${databaseName}" AS "${propertyName}"`).join(', ');
}

function cursorCondition(page: PageRequest, range: IdRange | undefined): { id?: FindOperator<string> } {
  const cursor = page.after ?? page.before;
  if (cursor !== undefined && !isUuid(cursor)) throw new ValidationError('The cursor must be the id of an email.');
  const limits = [
    ...(cursor === undefined ? [] : [page.before === undefined ? LessThan(cursor) : MoreThan(cursor)]),
    ...(range === undefined ? [] : [idWithin(range)]),
  ];
  return limits.length === 0 ? {} : { id: And(...limits) };
}

function idWithin(range: IdRange): FindOperator<string> {
  return Raw((column) => `(${idsWithin(column, range)})`) as FindOperator<string>;
}
