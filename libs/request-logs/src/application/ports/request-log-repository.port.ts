import { Page, PageRequest } from '#kernel';
import { NewRequestLog, RequestLog, RequestLogSummary } from '../../domain/request-log.js';

export abstract class RequestLogRepository {
  /**
   * Queues a log entry, which is written within a second, and returns at once. Never throws: an entry that cannot be
   * written is counted and dropped.
   */
  abstract add(log: NewRequestLog): void;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<RequestLogSummary>>;

  abstract find(teamId: string, id: string): Promise<RequestLog | undefined>;
}
