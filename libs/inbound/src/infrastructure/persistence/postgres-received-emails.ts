import { TeamEvents } from '#events';
import { Clock, newId, Page, pageOf, PageRequest, storableText, Transaction, WorkPlaces } from '#kernel';
import { Database, idsWithin, keysetCondition, LeasesInTurn, nearestFirst, rangeOf } from '#postgres/database';
import type { IdRange, Row, Statement } from '#postgres/database';
import { addressSpellings } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';
import {
  AcceptedMessage,
  ErasedRecipients,
  ReceivedEmails,
  ReceivedFilter,
  StoredReceivedMessage,
} from '../../application/ports/received-emails.port.js';
import { DueWork, ReceivedWork } from '../../application/ports/received-work.port.js';
import { ReceivedEmail, receivedEventData } from '../../domain/received-email.js';
import { AcceptMessages, ConfirmedReceipts, selectedColumns } from './accept-messages.js';
import { receivedByStatement, FoundRecipients, removeRecipientStatement } from './erase-recipient.js';
import { UnusedContents } from './unused-contents.js';

const nothingFound: FoundRecipients = { found: null, read: 0, last: null };

@Injectable()
export class PostgresReceivedEmails extends ReceivedEmails {
  constructor(
    private readonly database: Database,
    private readonly acceptMessages: AcceptMessages,
    private readonly receipts: ConfirmedReceipts,
    private readonly contents: UnusedContents,
    private readonly events: TeamEvents,
    private readonly clock: Clock,
  ) {
    super();
  }

  accept(message: AcceptedMessage): Promise<StoredReceivedMessage> {
    return this.acceptMessages.accept(message);
  }

  confirm(receipt: string): Promise<void> {
    return this.receipts.add(receipt);
  }

  async find(teamId: string, id: string): Promise<ReceivedEmail | undefined> {
    const email = await this.findAny(id);
    return email?.teamId === teamId ? email : undefined;
  }

  async findAny(id: string): Promise<ReceivedEmail | undefined> {
    const [email] = await this.database.query<Row<ReceivedEmail>>({
      text: `SELECT ${selectedColumns} FROM received_emails WHERE id = $1 AND ${idsWithin('id', rangeOf(id))}`,
      values: [id],
    });
    return email;
  }

  async list(teamId: string, page: PageRequest, filter: ReceivedFilter): Promise<Page<ReceivedEmail>> {
    const given = [
      ...(filter.threadId === undefined ? [] : [['thread_id', filter.threadId] as const]),
      ...(filter.from === undefined ? [] : [['lower("from")', filter.from] as const]),
    ];
    const conditions = given.map(([column], index) => `AND ${column} = $${index + 2}`).join(' ');
    const read = (range?: IdRange): Promise<readonly Row<ReceivedEmail>[]> => {
      const { condition, order, values } = keysetCondition(page, 2 + given.length, range);
      return this.database.query<Row<ReceivedEmail>>({
        text: `SELECT ${selectedColumns} FROM received_emails WHERE team_id = $1 ${conditions} ${condition} ${order}`,
        values: [teamId, ...given.map(([, value]) => value), ...values],
      });
    };
    return pageOf(page, await nearestFirst(page, read));
  }

  announce(email: ReceivedEmail, transaction?: Transaction): Promise<void> {
    if (transaction === undefined) return this.database.run((own) => this.announce(email, own));
    const { teamId } = email;
    const event = { id: newId(), teamId, type: 'email.received' as const, data: receivedEventData(email) };
    return this.events.append([{ ...event, createdAt: this.clock.now() }], transaction);
  }

  async erase(teamId: string, address: string, limit: number): Promise<number> {
    await this.contents.removeUnused();
    return this.remove({
      text: `DELETE FROM received_emails WHERE (id, team_id) IN (
               SELECT id, team_id FROM received_emails WHERE team_id = $1 AND lower("from") = ANY ($2) ORDER BY id LIMIT $3)
             RETURNING id, content_id AS "contentId"`,
      values: [teamId, addressSpellings(address).stored, limit],
    });
  }

  async eraseRecipient(teamId: string, address: string, after: string, limit: number): Promise<ErasedRecipients> {
    await this.contents.removeUnused();
    const spellings = addressSpellings(address);
    const statement = receivedByStatement(teamId, spellings, after, limit);
    const [{ found, read, last } = nothingFound] = await this.database.query<Row<FoundRecipients>>(statement);
    const settled = (found ?? []).filter(({ isUnderWay }) => !isUnderWay);
    const idsOf = (isAlone: boolean): string[] => settled.filter((one) => one.isAlone === isAlone).map(({ id }) => id);
    const [alone, others] = [idsOf(true), idsOf(false)];
    if (alone.length > 0) {
      await this.remove({
        text: `DELETE FROM received_emails WHERE team_id = $1 AND id = ANY ($2::uuid[]) RETURNING id, content_id AS "contentId"`,
        values: [teamId, alone],
      });
    }
    if (others.length > 0) await this.database.execute(removeRecipientStatement(teamId, others, spellings));
    return {
      erased: settled.length,
      last: read < limit ? undefined : (last ?? undefined),
      isWaiting: settled.length < (found ?? []).length,
    };
  }

  private async remove(statement: Statement): Promise<number> {
    const removed = await this.database.run(async (transaction) => {
      const rows = await transaction.query<Row<{ id: string; contentId: string }>>(statement);
      if (rows.length === 0) return 0;
      await transaction.execute({
        text: 'DELETE FROM received_work WHERE email_id = ANY ($1::uuid[])',
        values: [rows.map(({ id }) => id)],
      });
      await this.contents.add([...new Set(rows.map(({ contentId }) => contentId))], transaction);
      return rows.length;
    });
    if (removed > 0) await this.contents.removeUnused();
    return removed;
  }
}

const maxReasonLength = 500;

@Injectable()
export class PostgresReceivedWork extends ReceivedWork {
  private readonly leases = new LeasesInTurn<DueWork>({
    table: 'received_work',
    key: 'email_id',
    returning: 'w.email_id AS "emailId", w.team_id AS "teamId", w.tries AS failures, w.announced AS "isAnnounced"',
  });

  constructor(private readonly database: Database) {
    super();
  }

  take(now: Date, leaseUntil: Date, places: WorkPlaces): Promise<readonly DueWork[]> {
    return this.leases.take(this.database, now, leaseUntil, places);
  }

  async renew(emailId: string, leaseUntil: Date): Promise<void> {
    await this.database.execute({
      text: 'UPDATE received_work SET due_at = $2 WHERE email_id = $1',
      values: [emailId, leaseUntil],
    });
  }

  async done(emailId: string): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM received_work WHERE email_id = $1', values: [emailId] });
  }

  later(emailId: string, dueAt: Date, reason: string): Promise<void> {
    return this.postpone(emailId, dueAt, reason, 0);
  }

  failed(emailId: string, dueAt: Date, reason: string): Promise<void> {
    return this.postpone(emailId, dueAt, reason, 1);
  }

  private async postpone(emailId: string, dueAt: Date, reason: string, failures: number): Promise<void> {
    await this.database.execute({
      text: 'UPDATE received_work SET due_at = $2, last_error = $3, tries = tries + $4 WHERE email_id = $1',
      values: [emailId, dueAt, storableText(reason.slice(0, maxReasonLength)), failures],
    });
  }
}
