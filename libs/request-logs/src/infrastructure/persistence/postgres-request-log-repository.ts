import { actorColumns } from '#identity';
import { GroupCommit, Page, pageOf, PageRequest } from '#kernel';
import { Database, keysetCondition, nearestFirst, ReadDatabase, Row } from '#postgres/database';
import { DiskGuard } from '#observability/disk';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { FoundLogs, RequestLogRepository } from '../../application/ports/request-log-repository.port.js';
import type { LogFilter } from '../../domain/log-filter.js';
import { NewRequestLog, RequestLog, RequestLogSummary } from '../../domain/request-log.js';

/** Time for which entries are gathered into one write. Together with the write it stays within the promised second. */
const gatherMs = 250;
/** Maximum number of entries held while the database is unreachable. Further ones are counted and dropped. */
const maxWaiting = 20_000;

/** Requests that one search examines: the newest of the team. */
const maxExamined = 20_000;

const summaryColumns = `id, created_at AS "createdAt", endpoint, method, response_status AS "responseStatus",
                        user_agent AS "userAgent"`;

/** Stores entries in a table partitioned by day. Writes them in batches after the response was sent. */
@Injectable()
export class PostgresRequestLogRepository extends RequestLogRepository implements OnApplicationShutdown {
  private readonly writer = new GroupCommit((logs: readonly NewRequestLog[]) => this.write(logs), {
    maxBatch: 500,
    concurrency: 1,
    gatherMs,
  });
  private readonly lost;
  private waiting = 0;

  constructor(
    private readonly database: Database,
    private readonly reads: ReadDatabase,
    private readonly logger: Logger,
    private readonly disk: DiskGuard,
    metrics: Metrics,
  ) {
    super();
    this.lost = metrics.counter('postrider_request_logs_lost_total', 'API requests that could not be logged');
  }

  add(log: NewRequestLog): void {
    // When the disk is nearly full, logging the refused requests must not fill it.
    if (this.waiting >= maxWaiting || this.disk.isLow) {
      this.lost.inc();
      return;
    }
    this.waiting++;
    this.writer
      .submit(log)
      .catch((error: unknown) => {
        this.lost.inc();
        this.logger.warn({ error, logId: log.id }, 'an API request could not be logged');
      })
      .finally(() => this.waiting--);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<RequestLogSummary>> {
    const rows = await nearestFirst(page, (range) => {
      const { condition, order, values } = keysetCondition(page, 2, range);
      return this.reads.query<Row<RequestLogSummary>>({
        text: `SELECT ${summaryColumns} FROM request_logs WHERE team_id = $1 ${condition} ${order}`,
        values: [teamId, ...values],
      });
    });
    return pageOf(page, rows);
  }

  async search(teamId: string, page: PageRequest, { statuses, method, fromPage }: LogFilter): Promise<FoundLogs> {
    const { condition, order, values } = keysetCondition(page, 6);
    const direction = page.before === undefined ? 'DESC' : 'ASC';
    const own = [teamId, statuses?.[0] ?? 0, statuses?.[1] ?? 999, method ?? null, fromPage ?? null, ...values];
    const found = await this.reads.query<Row<RequestLogSummary>>({
      text: `SELECT id, "createdAt", endpoint, method, "responseStatus", "userAgent" FROM (
               SELECT ${summaryColumns}, from_page FROM request_logs WHERE team_id = $1 ${condition}
               ORDER BY id ${direction} LIMIT ${maxExamined}
             ) l WHERE "responseStatus" BETWEEN $2 AND $3 AND ($4::text IS NULL OR method = $4)
               AND ($5::boolean IS NULL OR from_page IS TRUE = $5) ${order}`,
      values: own,
    });
    const items = found.slice(0, page.limit);
    if (found.length > page.limit) return { ...pageOf(page, found), next: items.at(-1)?.id };
    const [last] = await this.reads.query<{ id: string }>({
      text: `SELECT id FROM request_logs WHERE team_id = $1 ${condition.replace('$6', '$2')}
             ORDER BY id ${direction} OFFSET ${maxExamined - 1} LIMIT 1`,
      values: [teamId, ...values],
    });
    return { items: pageOf(page, found).items, hasMore: last !== undefined, next: last?.id };
  }

  async find(teamId: string, id: string): Promise<RequestLog | undefined> {
    const [row] = await this.reads.query<Row<RequestLog>>({
      text: `SELECT ${summaryColumns}, request_body AS "requestBody", response_body AS "responseBody"
             FROM request_logs WHERE id = $2 AND team_id = $1`,
      values: [teamId, id],
    });
    return row;
  }

  /** Runs after the HTTP server has sent its last response. */
  async onApplicationShutdown(): Promise<void> {
    await this.writer.drain();
  }

  /**
   * Sends all bodies as one run of bytes beside the rows. As JSON within JSON, PostgreSQL would parse each body three
   * times.
   */
  private async write(logs: readonly NewRequestLog[]): Promise<{ value: void }[]> {
    let length = 0;
    const rows = logs.map((log) => {
      const row = rowOf(log, length + 1);
      length += row.request_length + row.response_length;
      return row;
    });
    const bodies = Buffer.allocUnsafe(length);
    let at = 0;
    for (const { requestJson, responseJson } of logs) {
      at += bodies.write(requestJson ?? '', at);
      at += bodies.write(responseJson ?? '', at);
    }
    await this.database.execute({
      name: 'log-requests',
      text: `INSERT INTO request_logs (id, team_id, api_key_id, actor_kind, actor_id, created_at, response_status, method,
                                       endpoint, user_agent, from_page, request_body, response_body)
             SELECT id, team_id, api_key_id, actor_kind, actor_id, created_at, response_status, method, endpoint, user_agent, from_page,
                    ${jsonAt('start', 'request_length')}, ${jsonAt('start + request_length', 'response_length')}
             FROM json_to_recordset($1::json) AS l (
               id uuid, team_id uuid, api_key_id uuid, actor_kind text, actor_id uuid, created_at timestamptz,
               response_status smallint, method text, endpoint text, user_agent text, from_page boolean, start int, request_length int, response_length int)`,
      values: [JSON.stringify(rows), bodies],
    });
    return logs.map(() => ({ value: undefined }));
  }
}

/** SQL for the body at this position of the second parameter; NULL if there is none. */
function jsonAt(start: string, length: string): string {
  return `NULLIF(convert_from(substring($2::bytea FROM ${start} FOR ${length}), 'UTF8'), '')::json`;
}

/** @param start position of the entry's bodies within the bytes of all bodies, counted from 1. */
function rowOf(log: NewRequestLog, start: number) {
  return {
    id: log.id,
    team_id: log.teamId,
    ...actorColumns(log.actor),
    created_at: log.createdAt,
    response_status: log.responseStatus,
    method: log.method,
    endpoint: log.endpoint,
    user_agent: log.userAgent,
    from_page: log.fromPage || undefined,
    start,
    request_length: Buffer.byteLength(log.requestJson ?? ''),
    response_length: Buffer.byteLength(log.responseJson ?? ''),
  };
}
