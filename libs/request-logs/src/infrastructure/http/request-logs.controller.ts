import { PermissionsOf, TeamId } from '#identity';
import { found, parsePageRequest } from '#kernel';
import { listResponse, ListResponse, toResponse } from '#http/server';
import {
  Describes,
  nextOfPage,
  Operation,
  PathId,
  QueryParameter,
  Refuses,
  Responses,
  ResponsesList,
} from '#http/openapi';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { RequestLogRepository } from '../../application/ports/request-log-repository.port.js';
import { parseLogFilter, RequestLogSummary } from '../../domain/request-log.js';
import { logId } from './example-ids.js';
import { RequestLogResponse, RequestLogSummaryResponse } from './request-log.response.js';

@Controller('logs')
@Describes('Logs', 'The API requests of your team, with secrets masked and long bodies cut.')
@PathId('logId', 'Id of the log entry.', logId, 'Log')
@PermissionsOf('logs')
export class RequestLogsController {
  constructor(private readonly logs: RequestLogRepository) {}

  @Get()
  @Operation(
    'List API requests',
    'The API requests of your team, newest first, in pages. Refused requests are listed as well. With a ' +
      'filter, a request examines a bounded number of entries: as long as `next` is not null, go on with it ' +
      'as `after` (or `before`).',
  )
  @QueryParameter('status', 'Requests with this status, such as `404`, or of this class, such as `4xx`.', {}, '2xx')
  @QueryParameter('method', 'Requests with this HTTP method.', {}, 'POST')
  @QueryParameter(
    'origin',
    '`api`: requests with an API key or by a tool. `dashboard`: what people changed in the dashboard. ' +
      'Default: all.',
    { enum: ['api', 'dashboard'] },
    'api',
  )
  @ResponsesList(RequestLogSummaryResponse, 'A page of requests.', { fields: nextOfPage })
  @Refuses(() => [
    () => parseLogFilter({ status: 'bad' }),
    () => parseLogFilter({ method: 'TRACE' }),
    () => parseLogFilter({ origin: 'phone' }),
  ])
  async listLogs(
    @TeamId() teamId: string,
    @Query() query: Record<string, unknown>,
  ): Promise<ListResponse<RequestLogSummaryResponse> & { readonly next?: string | null }> {
    const page = parsePageRequest(query);
    const filter = parseLogFilter(query);
    if (filter === undefined) return listResponse(await this.logs.list(teamId, page), summary);
    const logs = await this.logs.search(teamId, page, filter);
    return { ...listResponse(logs, summary), next: logs.next ?? null };
  }

  @Get(':logId')
  @Operation('Get an API request', 'One API request with its bodies.')
  @Responses(RequestLogResponse, 'The request.')
  async getLog(@TeamId() teamId: string, @Param('logId') logId: string): Promise<RequestLogResponse> {
    const log = found('Log', await this.logs.find(teamId, logId));
    return { object: 'log', ...summary(log), request_body: log.requestBody, response_body: log.responseBody };
  }
}

const summary = (log: RequestLogSummary): RequestLogSummaryResponse => toResponse(RequestLogSummaryResponse, log);
