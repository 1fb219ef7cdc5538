import { Injectable } from '@nestjs/common';
import { TeamEvents, WebhookEventType } from '#events';
import { firstIdAt, newId, Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, nearestFirst, Row, Statement } from '#postgres/database';
import { UnindexedRows } from '#postgres/privacy';
import { MessageLog, ReplayedBatch, ReplayFilter, TestMessage } from '../../application/ports/message-log.port.js';
import {
  DueMessage,
  LoggedMessage,
  MessageAttempt,
  MessageStatus,
  messageStatuses,
} from '../../domain/webhook-message.js';

interface MessageRow {
  readonly id: string;
  readonly type: WebhookEventType;
  readonly sourceId: string;
  readonly seq: number | null;
  readonly createdAt: Date;
  readonly status: MessageStatus;
  readonly nextAttemptAt: Date | null;
}

const columns = `m.id, m.type, m.source_id AS "sourceId", m.seq, m.created_at AS "createdAt", m.status`;
const uuidZero = '00000000-0000-0000-0000-000000000000';
const uuidLast = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Maximum difference between the clock that dates events and the database's clock, which dates messages. */
const maxClockDifferenceMs = 2 * 86_400_000;

/** Nobody can subscribe to this type, so the event makes no messages by itself. */
const testType = 'webhook.test';

@Injectable()
export class PostgresMessageLog extends MessageLog {
  constructor(
    private readonly database: Database,
    private readonly events: TeamEvents,
  ) {
    super();
  }

  async list(webhookId: string, page: PageRequest): Promise<Page<LoggedMessage>> {
    const rows = await nearestFirst(page, (range) => {
      const { condition, order, values } = keysetCondition(page, 2, range);
      return this.database.query<Row<MessageRow>>({
        text: `SELECT ${columns}, NULL AS "nextAttemptAt" FROM webhook_messages m
               WHERE webhook_id = $1 ${condition} ${order}`,
        values: [webhookId, ...values],
      });
    });
    return pageOf(
      page,
      rows.map((row) => messageOf(webhookId, row)),
    );
  }

  async find(webhookId: string, id: string): Promise<LoggedMessage | undefined> {
    const [row] = await this.database.query<Row<MessageRow>>({
      text: `SELECT ${columns}, CASE WHEN q.due_at IS NOT NULL THEN greatest(q.due_at, w.probe_at) END
               AS "nextAttemptAt"
             FROM webhook_messages m LEFT JOIN webhook_queue q ON q.message_id = m.id
             LEFT JOIN webhooks w ON w.id = m.webhook_id WHERE m.webhook_id = $1 AND m.id = $2`,
      values: [webhookId, id],
    });
    return row === undefined ? undefined : messageOf(webhookId, row);
  }

  async attempts(messageId: string, page: PageRequest): Promise<Page<MessageAttempt>> {
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<MessageAttempt>>({
      text: `SELECT id, sent_at AS "sentAt", duration_ms AS "durationMs", http_status AS status, response
             FROM webhook_attempts WHERE message_id = $1 ${condition} ${order}`,
      values: [messageId, ...values],
    });
    return pageOf(page, rows);
  }

  async addTest(teamId: string, webhookId: string, now: Date, dueAt: Date): Promise<TestMessage> {
    const eventId = newId();
    const data = { webhook_id: webhookId, message: 'This is a test.' };
    return this.database.run(async (transaction) => {
      await this.events.append([{ id: eventId, teamId, type: testType, data, createdAt: now }], transaction);
      const [row] = await transaction.query<Pick<DueMessage, 'id' | 'type'> & Record<string, unknown>>({
        text: `WITH told AS (SELECT webhook_message_id(clock_timestamp(), 1) AS id), logged AS (
                 INSERT INTO webhook_messages (id, webhook_id, seq, created_at, type, status, source_id)
                 SELECT id, $1, NULL, $2, $3, 'pending', $4 FROM told
               )
               INSERT INTO webhook_queue (message_id, webhook_id, seq, created_at, due_at, type, source_id)
               SELECT id, $1, NULL, $2, $5, $3, $4 FROM told RETURNING message_id AS id, type`,
        values: [webhookId, now, testType, eventId, dueAt],
      });
      if (row === undefined) throw new Error('The test event was not queued');
      const source = { id: eventId, seq: null };
      const message = { ...row, webhookId, source, createdAt: now, attempt: 0, round: 0 };
      return { message, event: { kind: 'team', data: JSON.stringify(data) } };
    });
  }

  async replay(webhookId: string, id: string, now: Date): Promise<boolean> {
    const range = { after: id, before: id, inclusive: true };
    const [row] = await this.database.query<{ replayed: number }>(
      replayStatement(
        webhookId,
        range,
        { from: undefined, to: undefined, types: undefined, statuses: messageStatuses },
        1,
        now,
      ),
    );
    return (row?.replayed ?? 0) > 0;
  }

  async replayBatch(
    webhookId: string,
    filter: ReplayFilter,
    after: string | undefined,
    limit: number,
    now: Date,
  ): Promise<ReplayedBatch> {
    const first =
      filter.from === undefined ? uuidZero : firstIdAt(new Date(filter.from.getTime() - maxClockDifferenceMs));
    const last = filter.to === undefined ? uuidLast : firstIdAt(new Date(filter.to.getTime() + maxClockDifferenceMs));
    const range = { after: after !== undefined && after > first ? after : first, before: last, inclusive: false };
    const [row] = await this.database.query<{ replayed: number; scanned: number; last: string }>(
      replayStatement(webhookId, range, filter, limit, now),
    );
    const { replayed = 0, scanned = 0, last: reached } = row ?? {};
    return { replayed, last: scanned < limit ? undefined : reached };
  }
}

/**
 * Examines the next messages of an endpoint in the order of their ids, and queues those that match. A message that is
 * already queued becomes due now and gets all its tries again. The result of an earlier call that is still under way no
 * longer counts for it.
 */
function replayStatement(
  webhookId: string,
  range: { readonly after: string; readonly before: string; readonly inclusive: boolean },
  { from, to, types, statuses }: ReplayFilter,
  limit: number,
  now: Date,
): Statement {
  const bounds = range.inclusive ? 'id >= $2 AND id <= $3' : 'id > $2 AND id < $3';
  return {
    text: `
      WITH scanned AS MATERIALIZED (
        SELECT * FROM webhook_messages WHERE webhook_id = $1 AND ${bounds} ORDER BY id LIMIT $4
      ), chosen AS (
        SELECT * FROM scanned
        WHERE created_at >= coalesce($5::timestamptz, '-infinity') AND created_at < coalesce($6::timestamptz, 'infinity')
          AND ($7::text[] IS NULL OR type = ANY ($7::text[])) AND status = ANY ($8::text[])
        ORDER BY id
      ), queued AS (
        INSERT INTO webhook_queue AS q (message_id, webhook_id, source_id, created_at, due_at, seq, type)
        SELECT id, webhook_id, source_id, created_at, $9, seq, type FROM chosen
        ON CONFLICT (message_id) DO UPDATE SET due_at = $9, attempt = 0, round = q.round + 1
        RETURNING q.message_id
      ), shown AS (
        UPDATE webhook_messages SET status = 'pending'
        WHERE webhook_id = $1 AND id = ANY (ARRAY(SELECT message_id FROM queued)) AND id BETWEEN $2 AND $3
      )
      SELECT (SELECT count(*)::int FROM scanned) AS scanned, (SELECT count(*)::int FROM queued) AS replayed,
             (SELECT id FROM scanned ORDER BY id DESC LIMIT 1) AS last`,
    values: [webhookId, range.after, range.before, limit, from, to, types, statuses, now],
  };
}

function messageOf(webhookId: string, { sourceId, seq, ...row }: MessageRow): LoggedMessage {
  return { ...row, webhookId, source: { id: sourceId, seq } };
}

/** What endpoints answered to messages: some repeat what they were sent. The messages themselves are read from the events. */
@Injectable()
export class WebhookAnswersData extends UnindexedRows {
  readonly name = 'webhooks';

  protected readonly portion = `
    SELECT m.id, a.answers FROM (
      SELECT n.id FROM webhooks w CROSS JOIN LATERAL (
        SELECT id FROM webhook_messages WHERE webhook_id = w.id AND id > $2 ORDER BY id LIMIT $3
      ) n
      WHERE w.team_id = $1 ORDER BY n.id LIMIT $3
    ) m
    CROSS JOIN LATERAL (SELECT json_agg(response) AS answers FROM webhook_attempts WHERE message_id = m.id) a
    ORDER BY m.id`;

  protected readonly names = `answers::text ~ $4`;

  protected readonly record = `json_build_object('message_id', id, 'answers', answers)`;

  protected readonly clear = `
    UPDATE webhook_attempts a SET response = regexp_replace(response, $3, '\\1erased', 'g')
    FROM webhooks w JOIN webhook_messages m ON m.webhook_id = w.id AND m.id = ANY ($2::uuid[])
    WHERE w.team_id = $1 AND a.message_id = m.id`;
}
