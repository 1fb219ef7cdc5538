import { MessageStore } from '#emails';
import { Clock, newId, Page, pageOf, PageRequest, TeamEvents } from '#kernel';
import { Database, idsWithin, keysetCondition, nearestFirst, rangeOf } from '#platform/database';
import type { IdRange, Row, Statement } from '#platform/database';
import { Injectable } from '@nestjs/common';
import {
  AcceptedMessage,
  ErasedRecipients,
  ReceivedEmails,
  ReceivedFilter,
  StoredMessage,
} from '../../application/ports/received-emails.port.js';
import { ReceivedEmail } from '../../domain/received-email.js';
import { receivedEventData } from '../../domain/received-event.js';
import { AcceptMessages } from './accept-messages.js';
import { ConfirmedReceipts } from './confirmed-receipts.js';
import { receivedByStatement, FoundRecipients, removeRecipientStatement } from './erase-recipient.js';
import { selectedColumns } from './received-email.row.js';

const nothingFound: FoundRecipients = { found: null, read: 0, last: null };

@Injectable()
export class PostgresReceivedEmails extends ReceivedEmails {
  constructor(
    private readonly database: Database,
    private readonly acceptMessages: AcceptMessages,
    private readonly receipts: ConfirmedReceipts,
    private readonly store: MessageStore,
    private readonly events: TeamEvents,
    private readonly clock: Clock,
  ) {
    super();
  }

  accept(message: AcceptedMessage): Promise<StoredMessage> {
    return this.acceptMessages.execute(message);
  }

  confirm(receipt: string): void {
    this.receipts.add(receipt);
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

  announce(email: ReceivedEmail): Promise<void> {
    const { teamId } = email;
    const event = { id: newId(), teamId, type: 'email.received', data: receivedEventData(email) };
    return this.database.run((transaction) =>
      this.events.append([{ ...event, createdAt: this.clock.now() }], transaction),
    );
  }

  async erase(teamId: string, address: string, limit: number): Promise<number> {
    return this.remove({
      text: `DELETE FROM received_emails WHERE (id, team_id) IN (
               SELECT id, team_id FROM received_emails WHERE team_id = $1 AND lower("from") = $2 ORDER BY id LIMIT $3)
             RETURNING id, content_id AS "contentId"`,
      values: [teamId, address, limit],
    });
  }

  async eraseRecipient(teamId: string, address: string, after: string, limit: number): Promise<ErasedRecipients> {
    const statement = receivedByStatement(teamId, address, after, limit);
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
    if (others.length > 0) await this.database.execute(removeRecipientStatement(teamId, others, address));
    return {
      erased: settled.length,
      last: read < limit ? undefined : (last ?? undefined),
      isWaiting: settled.length < (found ?? []).length,
    };
  }

  private async remove(statement: Statement): Promise<number> {
    const rows = await this.database.query<Row<{ id: string; contentId: string }>>(statement);
    await this.forgetWork(rows.map(({ id }) => id));
    for (const { contentId } of rows) {
      if (!(await this.isUsed(contentId))) await this.store.remove([contentId]);
    }
    return rows.length;
  }

  /** The emails of one message were made in the same moment. */
  private async isUsed(contentId: string): Promise<boolean> {
    const { from, to } = rangeOf(contentId);
    const rows = await this.database.query({
      text: `SELECT 1 FROM received_emails
             WHERE content_id = $1 AND ${idsWithin('id', { from, to: to + 1_000 })} LIMIT 1`,
      values: [contentId],
    });
    return rows.length > 0;
  }

  private async forgetWork(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.execute({ text: 'DELETE FROM received_work WHERE email_id = ANY ($1::uuid[])', values: [ids] });
  }
}
