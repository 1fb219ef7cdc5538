import type { WebhookEventType } from '#events';
import { firstIdAt } from '#kernel';
import { boundsOf, Database, Row } from '#postgres/database';
import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import {
  LaneWork,
  LargeEvent,
  MessageQueue,
  StoredEvents,
  WebhookLanesWithWork,
} from '../../application/ports/message-queue.port.js';
import { openSecrets, openSettings, SealedSecrets } from './postgres-webhook-repository.js';
import { StoredEmailEvent, StoredEvent } from '../../domain/payload.js';
import { EventSource } from '../../domain/webhook-message.js';

/** Length of a lease. Two of three heartbeats may be lost. The lanes of a dead worker are free after this time. */
const leaseTime = `interval '6 seconds'`;
const keptDays = 30;
const maxDeletedAtOnce = 5_000;
const uuidZero = '00000000-0000-0000-0000-000000000000';

interface WorkRow extends SealedSecrets {
  readonly teamId: string;
  readonly endpoint: string;
  readonly format: string;
  readonly probeAt: Date | null;
  /** Null, like all following columns, if no message is due. */
  readonly id: string | null;
  readonly sourceId: string;
  readonly seq: number | null;
  readonly type: WebhookEventType;
  readonly createdAt: Date;
  readonly attempt: number;
  readonly round: number;
}

@Injectable()
export class PostgresMessageQueue extends MessageQueue {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async acquireLane(webhookId: string, workerId: string): Promise<boolean> {
    const rows = await this.database.query({
      name: 'acquire-webhook-lane',
      text: `INSERT INTO webhook_lanes AS l (webhook_id, worker_id, until) VALUES ($1, $2, now() + ${leaseTime})
             ON CONFLICT (webhook_id) DO UPDATE SET worker_id = $2, until = now() + ${leaseTime}
               WHERE l.worker_id = $2 OR l.until <= now()
             RETURNING 1`,
      values: [webhookId, workerId],
    });
    return rows.length > 0;
  }

  async renewLanes(workerId: string): Promise<void> {
    await this.database.execute({
      name: 'renew-webhook-lanes',
      text: `UPDATE webhook_lanes SET until = now() + ${leaseTime} WHERE worker_id = $1`,
      values: [workerId],
    });
  }

  async releaseLane(webhookId: string, workerId: string): Promise<void> {
    await this.database.execute({
      name: 'release-webhook-lane',
      text: 'DELETE FROM webhook_lanes WHERE webhook_id = $1 AND worker_id = $2',
      values: [webhookId, workerId],
    });
  }

  async work(
    webhookId: string,
    workerId: string,
    now: Date,
    except: readonly string[],
    limit: number,
  ): Promise<LaneWork | undefined> {
    const rows = await this.database.query<Row<WorkRow>>({
      name: 'webhook-lane-work',
      // The planner does not know the limit's value. It therefore walks the index in order and stops at the limit.
      text: `SELECT w.team_id AS "teamId", w.endpoint, w.format, w.sealed_settings AS "sealedSettings",
                    w.probe_at AS "probeAt", w.sealed_secret AS "sealedSecret",
                    w.sealed_previous_secret AS "sealedPreviousSecret", w.previous_secret_until AS "previousSecretUntil",
                    q.message_id AS id, q.source_id AS "sourceId", q.seq, q.type, q.created_at AS "createdAt", q.attempt,
                    q.round
             FROM webhooks w JOIN webhook_lanes l ON l.webhook_id = w.id AND l.worker_id = $2 AND l.until > now()
             LEFT JOIN LATERAL (
               SELECT * FROM webhook_queue
               WHERE webhook_id = $1 AND due_at <= $3 AND message_id <> ALL ($4::uuid[])
                 AND (w.probe_at IS NULL OR w.probe_at <= $3)
               ORDER BY due_at, message_id LIMIT CASE WHEN w.probe_at IS NULL THEN $5::int ELSE 1 END
             ) q ON true
             WHERE w.id = $1 AND w.status = 'enabled'`,
      values: [webhookId, workerId, now, except, limit],
    });
    const [first] = rows;
    if (first === undefined) return undefined;
    return {
      endpoint: {
        teamId: first.teamId,
        endpoint: first.endpoint,
        format: first.format,
        settings: openSettings(this.secrets, webhookId, first),
        probeAt: first.probeAt,
        secrets: openSecrets(this.secrets, webhookId, first, now),
      },
      due: rows.flatMap(({ id, sourceId, seq, type, createdAt, attempt, round }) =>
        id === null ? [] : [{ id, webhookId, type, createdAt, attempt, round, source: { id: sourceId, seq } }],
      ),
    };
  }

  /** Jumps from endpoint to endpoint along the index: the cost grows with the endpoints, not with the waiting messages. */
  async lanesWithWork(
    workerId: string,
    now: Date,
    after: string | undefined,
    limit: number,
  ): Promise<WebhookLanesWithWork> {
    const rows = await this.database.query<{ id: string; isToBeCalled: boolean }>({
      name: 'webhook-lanes-with-work',
      text: `WITH RECURSIVE waiting AS (
               (SELECT webhook_id, due_at, 1 AS nth FROM webhook_queue WHERE webhook_id > $3
                ORDER BY webhook_id, due_at LIMIT 1)
               UNION ALL
               SELECT next.webhook_id, next.due_at, nth + 1 FROM waiting, LATERAL (
                 SELECT webhook_id, due_at FROM webhook_queue WHERE webhook_id > waiting.webhook_id
                 ORDER BY webhook_id, due_at LIMIT 1
               ) next WHERE nth < $4
             )
             SELECT waiting.webhook_id AS id, w.id IS NOT NULL AS "isToBeCalled"
             FROM waiting LEFT JOIN webhooks w ON w.id = waiting.webhook_id
               AND waiting.due_at <= $2 AND w.status = 'enabled' AND (w.probe_at IS NULL OR w.probe_at <= $2)
               AND NOT EXISTS (SELECT FROM webhook_lanes l
                               WHERE l.webhook_id = w.id AND l.worker_id <> $1 AND l.until > now())
             ORDER BY waiting.nth`,
      values: [workerId, now, after ?? uuidZero, limit],
    });
    return {
      webhookIds: rows.filter(({ isToBeCalled }) => isToBeCalled).map(({ id }) => id),
      last: rows.length < limit ? undefined : rows[rows.length - 1]?.id,
    };
  }

  async deleteExpired(now: Date): Promise<number> {
    const oldest = firstIdAt(new Date(now.getTime() - keptDays * 86_400_000));
    // Expired messages are counted in the queue, because retention may already have dropped their `webhook_messages` rows.
    const [{ expired } = { expired: 0 }] = await this.database.query<{ expired: number }>({
      text: `WITH gone AS (
               DELETE FROM webhook_queue WHERE message_id = ANY (ARRAY(
                 SELECT message_id FROM webhook_queue WHERE message_id < $1 ORDER BY message_id LIMIT ${maxDeletedAtOnce}))
               RETURNING message_id, webhook_id
             ), shown AS (
               UPDATE webhook_messages m SET status = 'failed' FROM gone
               WHERE m.webhook_id = gone.webhook_id AND m.id = gone.message_id AND m.id < $1
             )
             SELECT count(*)::int AS expired FROM gone`,
      values: [oldest],
    });
    await this.database.execute({ text: `DELETE FROM webhook_lanes WHERE until < now() - interval '1 minute'` });
    const orphans = await this.database.execute({
      text: `WITH RECURSIVE waiting AS (
               (SELECT webhook_id FROM webhook_queue ORDER BY webhook_id LIMIT 1)
               UNION ALL
               SELECT next.webhook_id FROM waiting, LATERAL (
                 SELECT webhook_id FROM webhook_queue WHERE webhook_id > waiting.webhook_id ORDER BY webhook_id LIMIT 1
               ) next
             ), removed AS (
               SELECT webhook_id FROM waiting WHERE NOT EXISTS (SELECT FROM webhooks w WHERE w.id = waiting.webhook_id)
             )
             DELETE FROM webhook_queue WHERE message_id = ANY (ARRAY(
               SELECT q.message_id FROM removed, LATERAL (
                 SELECT message_id FROM webhook_queue WHERE webhook_id = removed.webhook_id LIMIT ${maxDeletedAtOnce}
               ) q LIMIT ${maxDeletedAtOnce}))`,
    });
    return expired + orphans;
  }
}

/** A larger event is loaded when its call begins. A lane holds up to 192 smaller ones. */
const maxSmallBytes = 8 * 1024;

type EmailRow = Omit<StoredEmailEvent, 'kind'> & { readonly seq: number } & Record<string, unknown>;

/**
 * Reads events from the views of the libs that wrote them. The bounds let PostgreSQL skip the partitions of other days.
 * The limits make it look up each row by its key; a plain join might read everything between the bounds.
 */
@Injectable()
export class PostgresStoredEvents extends StoredEvents {
  constructor(private readonly database: Database) {
    super();
  }

  async load(sources: readonly EventSource[]): Promise<readonly (StoredEvent | undefined)[]> {
    const ofEmails = sources.filter(({ seq }) => seq !== null);
    const ofTeams = sources.filter(({ seq }) => seq === null);
    const found = new Map([...(await this.emailEvents(ofEmails)), ...(await this.teamEvents(ofTeams))]);
    return sources.map((source) => found.get(keyOf(source.id, source.seq)));
  }

  async loadSmall(sources: readonly EventSource[]): Promise<readonly (StoredEvent | LargeEvent | undefined)[]> {
    const ofEmails = sources.filter(({ seq }) => seq !== null);
    const ofTeams = sources.filter(({ seq }) => seq === null);
    const found = new Map<string, StoredEvent | LargeEvent>([
      ...(await this.emailEvents(ofEmails)),
      ...(await this.smallTeamEvents(ofTeams)),
    ]);
    return sources.map((source) => found.get(keyOf(source.id, source.seq)));
  }

  private async emailEvents(sources: readonly EventSource[]): Promise<[string, StoredEvent][]> {
    if (sources.length === 0) return [];
    const rows = await this.database.query<EmailRow>({
      name: 'webhook-email-events',
      text: `SELECT v.email_id AS "emailId", v.seq, v.data, e.message_id AS "messageId", e.created_at AS "acceptedAt",
                    e."from", e."to", e.subject, e.tags, e.headers, r.address AS recipient, b.broadcast_id AS "broadcastId",
                    e.template_id AS "templateId", v.position::text AS position, e.size,
                    CASE WHEN v.type = 'email.opened' THEN NOT EXISTS (
                      SELECT FROM published_email_events
                      WHERE email_id = m.email_id AND seq < m.seq AND email_id BETWEEN $3 AND $4 AND type = v.type
                        AND recipient_no IS NOT DISTINCT FROM v.recipient_no
                    ) ELSE false END AS "isFirst"
             FROM unnest($1::uuid[], $2::int[]) AS m (email_id, seq)
             CROSS JOIN LATERAL (
               SELECT * FROM published_email_events
               WHERE email_id = m.email_id AND seq = m.seq AND email_id BETWEEN $3 AND $4 LIMIT 1
             ) v
             CROSS JOIN LATERAL (
               SELECT * FROM published_emails WHERE id = m.email_id AND id BETWEEN $3 AND $4 LIMIT 1
             ) e
             LEFT JOIN LATERAL (
               SELECT address FROM published_recipients
               WHERE email_id = m.email_id AND no = v.recipient_no AND email_id BETWEEN $3 AND $4 LIMIT 1
             ) r ON true
             LEFT JOIN LATERAL (
               SELECT broadcast_id FROM published_broadcast_emails WHERE email_id = m.email_id LIMIT 1
             ) b ON true`,
      values: [sources.map(({ id }) => id), sources.map(({ seq }) => seq), ...boundsOf(sources.map(({ id }) => id))],
    });
    return rows.map((row) => [keyOf(row.emailId, row.seq), { ...row, kind: 'email' }]);
  }

  private async teamEvents(sources: readonly EventSource[]): Promise<[string, StoredEvent][]> {
    if (sources.length === 0) return [];
    const rows = await this.database.query<{ id: string; data: string }>({
      name: 'webhook-team-events',
      text: `SELECT id, data::text FROM published_team_events WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [sources.map(({ id }) => id), ...boundsOf(sources.map(({ id }) => id))],
    });
    return rows.map(({ id, data }) => [keyOf(id, null), { kind: 'team', data }]);
  }

  private async smallTeamEvents(sources: readonly EventSource[]): Promise<[string, StoredEvent | LargeEvent][]> {
    if (sources.length === 0) return [];
    const rows = await this.database.query<{ id: string; bytes: number; data: string | null }>({
      name: 'webhook-small-team-events',
      text: `SELECT id, bytes, CASE WHEN bytes <= ${maxSmallBytes} THEN data::text END AS data
             FROM published_team_events, LATERAL (SELECT octet_length(data::text) AS bytes OFFSET 0) size
             WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3`,
      values: [sources.map(({ id }) => id), ...boundsOf(sources.map(({ id }) => id))],
    });
    return rows.map(({ id, bytes, data }) => [
      keyOf(id, null),
      data === null ? { kind: 'large', bytes } : { kind: 'team', data },
    ]);
  }
}

function keyOf(id: string, seq: number | null): string {
  return `${id} ${seq}`;
}
