import { ActorColumns, actorColumns, actorOf } from '#identity';
import { pageOf, PageRequest, Transaction } from '#kernel';
import { Database, keysetCondition, lockRows, ProcessNotifications, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { broadcastQueued, BroadcastRepository } from '../../application/ports/broadcast-repository.port.js';
import { BroadcastFilter, BroadcastsPage } from '../../domain/broadcast-filter.js';
import { Broadcast } from '../../domain/broadcast.js';
import { firstRelease } from '../../domain/fan-out/zones.js';

type BroadcastRow = Omit<Broadcast, 'actor'> & ActorColumns;

const columns = `id, team_id AS "teamId", name, segment_id AS "segmentId", topic_id AS "topicId", "from", reply_to AS "replyTo",
  subject, preview_text AS "previewText", status, options, domain_id AS "domainId", scheduled_at AS "scheduledAt",
  queued_at AS "queuedAt", sent_at AS "sentAt", created_at AS "createdAt", updated_at AS "updatedAt",
  content_source AS "contentSource", content_revision AS "contentRevision", api_key_id, actor_kind, actor_id`;

const wholeColumns = `${columns}, html, text, document`;
const summaryColumns = `${columns}, NULL AS html, NULL AS text, NULL AS document`;

const writtenColumns = [
  'id',
  'team_id',
  'name',
  'segment_id',
  'topic_id',
  '"from"',
  'reply_to',
  'subject',
  'preview_text',
  'html',
  'text',
  'document',
  'content_source',
  'content_revision',
  'status',
  'options',
  'domain_id',
  'scheduled_at',
  'release_at',
  'queued_at',
  'sent_at',
  'created_at',
  'updated_at',
  'api_key_id',
  'actor_kind',
  'actor_id',
];

/** Broadcasts that one search looks at. */
const maxExamined = 5_000;

@Injectable()
export class PostgresBroadcastRepository extends BroadcastRepository {
  constructor(
    private readonly database: Database,
    private readonly processes: ProcessNotifications,
  ) {
    super();
  }

  async insert(broadcast: Broadcast, transaction: Transaction): Promise<void> {
    const parameters = writtenColumns.map((_, index) => `$${index + 1}`).join(', ');
    await statementsOf(transaction).execute({
      text: `INSERT INTO broadcasts (${writtenColumns.join(', ')}) VALUES (${parameters})`,
      values: valuesOf(broadcast),
    });
    await this.wakeWorkers(broadcast, transaction);
  }

  async find(teamId: string, id: string): Promise<Broadcast | undefined> {
    const [row] = await this.database.query<Row<BroadcastRow>>({
      text: `SELECT ${wholeColumns} FROM broadcasts WHERE team_id = $1 AND id = $2`,
      values: [teamId, id],
    });
    return row === undefined ? undefined : broadcastOf(row);
  }

  async list(teamId: string, page: PageRequest, filter?: BroadcastFilter): Promise<BroadcastsPage> {
    if (filter !== undefined) return this.search(teamId, page, filter);
    const { condition, order, values } = keysetCondition(page, 2);
    const rows = await this.database.query<Row<BroadcastRow>>({
      text: `SELECT ${summaryColumns} FROM broadcasts WHERE team_id = $1 ${condition} ${order}`,
      values: [teamId, ...values],
    });
    return pageOf(page, rows.map(broadcastOf));
  }

  /** The last row of the answer is the last broadcast that was examined, whether it matches or not. */
  private async search(
    teamId: string,
    page: PageRequest,
    { statuses, text }: BroadcastFilter,
  ): Promise<BroadcastsPage> {
    const { condition, order, values } = keysetCondition({ ...page, limit: maxExamined }, 5);
    const direction = page.before === undefined ? 'DESC' : 'ASC';
    const rows = await this.database.query<Row<BroadcastRow & { isMatch: boolean; no: number; examined: number }>>({
      text: `WITH examined AS (
               SELECT *, row_number() OVER (ORDER BY id ${direction})::int AS no, count(*) OVER ()::int AS examined FROM (
                 SELECT ${summaryColumns} FROM broadcasts WHERE team_id = $1 ${condition} ${order}
               ) b
             ), judged AS (
               SELECT *, ($2::text[] IS NULL OR status = ANY ($2))
                 AND ($3::text IS NULL OR name ILIKE $3 OR subject ILIKE $3) IS TRUE AS "isMatch" FROM examined
             )
             (SELECT * FROM judged WHERE "isMatch" ORDER BY no LIMIT $4)
             UNION ALL (SELECT * FROM judged WHERE no = examined AND NOT "isMatch")`,
      values: [teamId, statuses ?? null, text === undefined ? null : pattern(text), page.limit + 1, ...values],
    });
    const found = rows.filter(({ isMatch }) => isMatch);
    const { items, hasMore } = pageOf(
      page,
      found.map(({ isMatch: _match, no: _no, examined: _all, ...row }) => broadcastOf(row)),
    );
    if (hasMore) return { items, hasMore, next: found[page.limit - 1]?.id ?? null };
    const last = rows.at(-1);
    const isEnd = last === undefined || last.examined <= maxExamined;
    return { items, hasMore: !isEnd, next: isEnd ? null : last.id };
  }

  async lock(teamId: string, id: string, transaction: Transaction): Promise<Broadcast | undefined> {
    const [row] = await statementsOf(transaction).query<Row<BroadcastRow>>({
      text: `SELECT ${wholeColumns} FROM broadcasts WHERE team_id = $1 AND id = $2 FOR UPDATE`,
      values: [teamId, id],
    });
    return row === undefined ? undefined : broadcastOf(row);
  }

  async update(broadcast: Broadcast, transaction: Transaction): Promise<void> {
    const assignments = writtenColumns.slice(2).map((column, index) => `${column} = $${index + 3}`);
    const status = `$${writtenColumns.indexOf('status') + 1}`;
    assignments.push(`paused_because = CASE WHEN ${status} = 'paused' THEN paused_because END`);
    const statements = statementsOf(transaction);
    await statements.execute({
      text: `UPDATE broadcasts SET ${assignments.join(', ')} WHERE id = $1 AND team_id = $2`,
      values: valuesOf(broadcast),
    });
    if (broadcast.status !== 'queued') return;
    await statements.execute({
      text: 'UPDATE broadcast_runs SET retry_at = NULL WHERE broadcast_id = $1 AND retry_at > $2',
      values: [broadcast.id, broadcast.updatedAt],
    });
    await this.wakeWorkers(broadcast, transaction);
  }

  async delete({ id, teamId }: Broadcast, transaction: Transaction): Promise<void> {
    await statementsOf(transaction).execute({
      text: 'DELETE FROM broadcasts WHERE id = $1 AND team_id = $2',
      values: [id, teamId],
    });
  }

  async lockDue(now: Date, limit: number, transaction: Transaction): Promise<readonly Broadcast[]> {
    const rows = await statementsOf(transaction).query<Row<BroadcastRow>>({
      text: lockRows(
        wholeColumns,
        `FROM broadcasts WHERE status = 'scheduled' AND release_at <= $1 ORDER BY release_at LIMIT $2`,
      ),
      values: [now, limit],
    });
    return rows.map(broadcastOf);
  }

  /** One notification for a broadcast, never one for an email. */
  private async wakeWorkers({ id, status }: Broadcast, transaction: Transaction): Promise<void> {
    if (status === 'queued') await this.processes.send(broadcastQueued, id, transaction);
  }
}

function pattern(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

function broadcastOf(row: BroadcastRow): Broadcast {
  const { api_key_id, actor_kind, actor_id, ...broadcast } = row;
  return { ...broadcast, actor: actorOf({ api_key_id, actor_kind, actor_id }) };
}

/** In the order of the columns that statements write: see `writtenColumns`. */
function valuesOf(broadcast: Broadcast): unknown[] {
  const { api_key_id, actor_kind, actor_id } = actorColumns(broadcast.actor);
  return [
    broadcast.id,
    broadcast.teamId,
    broadcast.name,
    broadcast.segmentId,
    broadcast.topicId,
    broadcast.from,
    broadcast.replyTo,
    broadcast.subject,
    broadcast.previewText,
    broadcast.html,
    broadcast.text,
    broadcast.document,
    broadcast.contentSource,
    broadcast.contentRevision,
    broadcast.status,
    JSON.stringify(broadcast.options),
    broadcast.domainId,
    broadcast.scheduledAt,
    releaseOf(broadcast),
    broadcast.queuedAt,
    broadcast.sentAt,
    broadcast.createdAt,
    broadcast.updatedAt,
    api_key_id ?? null,
    actor_kind ?? null,
    actor_id ?? null,
  ];
}

/**
 * When a scheduled broadcast begins. One at the local time of its contacts begins when that time comes to the first
 * zone.
 */
function releaseOf({ scheduledAt, options: { localTime } }: Broadcast): Date | null {
  return scheduledAt === null || localTime === undefined ? scheduledAt : firstRelease(scheduledAt, localTime);
}
