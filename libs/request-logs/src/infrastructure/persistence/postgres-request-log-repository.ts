import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { actorColumns } from '#identity';
import { GroupCommit, Page, pageOf, PageRequest } from '#kernel';
import { CopyRows, Database, keysetCondition, nearestFirst, ReadDatabase, Row } from '#postgres/database';
import { DiskGuard } from '#observability/disk';
import { Logger } from '#observability/logging';
import { Metrics } from '#observability/metrics';
import { UnindexedRows } from '#postgres/privacy';
import { FoundLogs, RequestLogRepository } from '../../application/ports/request-log-repository.port.js';
import { type LogFilter, NewRequestLog, RequestLog, RequestLogSummary } from '../../domain/request-log.js';

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

  private async write(logs: readonly NewRequestLog[]): Promise<{ value: void }[]> {
    const rows = new CopyRows(columns.length);
    for (const log of logs) addRow(rows, log);
    await this.database.run((transaction) => transaction.copy(copyLogs, rows.end()));
    return logs.map(() => ({ value: undefined }));
  }
}

const columns = [
  'id',
  'team_id',
  'api_key_id',
  'actor_kind',
  'actor_id',
  'created_at',
  'response_status',
  'method',
  'endpoint',
  'user_agent',
  'from_page',
  'request_body',
  'response_body',
];
const copyLogs = `COPY request_logs (${columns.join(', ')}) FROM STDIN (FORMAT binary)`;

function addRow(rows: CopyRows, log: NewRequestLog): void {
  const { api_key_id = null, actor_kind = null, actor_id = null } = actorColumns(log.actor);
  rows.row().uuid(log.id).uuid(log.teamId).uuid(api_key_id).text(actor_kind).uuid(actor_id);
  rows.timestamp(log.createdAt).smallint(log.responseStatus).text(log.method).text(log.endpoint).text(log.userAgent);
  rows
    .boolean(log.fromPage || null)
    .text(log.requestJson)
    .text(log.responseJson);
}

/**
 * The API requests that name an address in their path, in a body or as the client. The log of a request stays, without
 * its bodies and its path.
 */
@Injectable()
export class RequestLogsData extends UnindexedRows {
  readonly name = 'logs';

  protected readonly portion = `
    SELECT id, endpoint, method, response_status, created_at, request_body, response_body, user_agent
    FROM request_logs WHERE team_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

  protected readonly names = `endpoint ~ $4 OR user_agent ~ $4 OR request_body::text ~ $4 OR response_body::text ~ $4`;

  protected readonly record = `
    json_build_object('id', id, 'endpoint', endpoint, 'method', method, 'response_status', response_status,
                      'created_at', created_at, 'request_body', request_body, 'response_body', response_body, 'user_agent', user_agent)`;

  protected readonly clear = `
    UPDATE request_logs SET request_body = NULL, response_body = NULL,
      endpoint = CASE WHEN endpoint ~ $3 THEN '/erased' ELSE endpoint END,
      user_agent = CASE WHEN user_agent ~ $3 THEN NULL ELSE user_agent END
    WHERE team_id = $1 AND id = ANY ($2::uuid[])`;
}
