import { Page, PageRequest } from '#kernel';
import { type LogFilter, NewRequestLog, RequestLog, RequestLogSummary } from '../../domain/request-log.js';

/** A page of a search. It may have fewer items than asked for although there are more: as long as there is a `next`. */
export interface FoundLogs extends Page<RequestLogSummary> {
  readonly next: string | undefined;
}

export abstract class RequestLogRepository {
  /**
   * Queues a log entry, which is written within a second, and returns at once. Never throws: an entry that cannot be
   * written is counted and dropped.
   */
  abstract add(log: NewRequestLog): void;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<RequestLogSummary>>;

  /** Examines a bounded number of requests, and says where to continue. */
  abstract search(teamId: string, page: PageRequest, filter: LogFilter): Promise<FoundLogs>;

  abstract find(teamId: string, id: string): Promise<RequestLog | undefined>;
}
