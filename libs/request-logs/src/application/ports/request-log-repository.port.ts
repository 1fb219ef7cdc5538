import { Page, PageRequest } from '#kernel';
import { NewRequestLog, RequestLog, RequestLogSummary } from '../../domain/request-log.js';

export abstract class RequestLogRepository {
  /**
   * Takes a request to be written down soon, within a second, and returns at once. Never fails: what cannot be written
   * is counted and given up.
   */
  abstract add(log: NewRequestLog): void;

  /** Newest first. */
  abstract list(teamId: string, page: PageRequest): Promise<Page<RequestLogSummary>>;

  abstract find(teamId: string, id: string): Promise<RequestLog | undefined>;
}
