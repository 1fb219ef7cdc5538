import { NotFoundError, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { LogFilter } from '../domain/log-filter.js';
import { RequestLog, RequestLogSummary } from '../domain/request-log.js';
import { FoundLogs, RequestLogRepository } from './ports/request-log-repository.port.js';

@Injectable()
export class ReadRequestLogs {
  constructor(private readonly logs: RequestLogRepository) {}

  list(teamId: string, page: PageRequest): Promise<Page<RequestLogSummary>> {
    return this.logs.list(teamId, page);
  }

  search(teamId: string, page: PageRequest, filter: LogFilter): Promise<FoundLogs> {
    return this.logs.search(teamId, page, filter);
  }

  async find(teamId: string, id: string): Promise<RequestLog> {
    const log = await this.logs.find(teamId, id);
    if (log === undefined) throw new NotFoundError('Log');
    return log;
  }
}
