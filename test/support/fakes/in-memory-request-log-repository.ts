import { Page, PageRequest } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import {
  FoundLogs,
  RequestLogRepository,
} from '../../../libs/request-logs/src/application/ports/request-log-repository.port.js';
import {
  type LogFilter,
  NewRequestLog,
  RequestLog,
  RequestLogSummary,
} from '../../../libs/request-logs/src/domain/request-log.js';

/** The request logs of one process, for tests: nothing survives the process. */
export class InMemoryRequestLogRepository extends RequestLogRepository {
  private readonly rows = new InMemoryRows<NewRequestLog>();

  add(log: NewRequestLog): void {
    this.rows.set(log);
  }

  async list(teamId: string, page: PageRequest): Promise<Page<RequestLogSummary>> {
    const { items, hasMore } = this.rows.page(page, (log) => log.teamId === teamId);
    return { items: items.map(summaryOf), hasMore };
  }

  async search(teamId: string, page: PageRequest, { statuses, method, fromPage }: LogFilter): Promise<FoundLogs> {
    const [from, to] = statuses ?? [0, 999];
    const fits = (log: NewRequestLog): boolean =>
      log.responseStatus >= from &&
      log.responseStatus <= to &&
      (method === undefined || log.method === method) &&
      (fromPage === undefined || log.fromPage === fromPage);
    const { items, hasMore } = this.rows.page(page, (log) => log.teamId === teamId && fits(log));
    return { items: items.map(summaryOf), hasMore, next: hasMore ? items.at(-1)?.id : undefined };
  }

  async find(teamId: string, id: string): Promise<RequestLog | undefined> {
    const log = this.rows.get(id);
    if (log?.teamId !== teamId) return undefined;
    return { ...summaryOf(log), requestBody: parsed(log.requestJson), responseBody: parsed(log.responseJson) };
  }
}

function summaryOf({ id, createdAt, endpoint, method, responseStatus, userAgent }: NewRequestLog): RequestLogSummary {
  return { id, createdAt, endpoint, method, responseStatus, userAgent };
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
