import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { parsePageRequest } from '#kernel';
import { idFromPath, listResponse, ListResponse, timestamp } from '#platform/http';
import { ApiQuery, DescribedBy, nextOfPage, Responses, ResponsesList } from '#platform/openapi';
import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ReadRequestLogs } from '../../application/read-request-logs.query.js';
import { parseLogFilter } from '../../domain/log-filter.js';
import { RequestLogSummary } from '../../domain/request-log.js';
import { RequestLogResponse, RequestLogSummaryResponse } from './request-log.response.js';

@Controller('logs')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/logs.description.js'))
export class RequestLogsController {
  constructor(private readonly logs: ReadRequestLogs) {}

  @Get()
  @Requires('logs:read')
  @ResponsesList(RequestLogSummaryResponse, nextOfPage)
  @ApiQuery({ name: 'status', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'method', required: false, schema: { type: 'string' } })
  async list(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: Record<string, unknown>,
  ): Promise<ListResponse<RequestLogSummaryResponse> & { readonly next?: string | null }> {
    const page = parsePageRequest(query);
    const filter = parseLogFilter(query);
    if (filter === undefined) return listResponse(await this.logs.list(teamId, page), summary);
    const found = await this.logs.search(teamId, page, filter);
    return { ...listResponse(found, summary), next: found.next ?? null };
  }

  @Get(':logId')
  @Requires('logs:read')
  @Responses(RequestLogResponse)
  async get(@CurrentPrincipal() { teamId }: Principal, @Param('logId') logId: string): Promise<RequestLogResponse> {
    const log = await this.logs.find(teamId, idFromPath('logId', logId));
    return { object: 'log', ...summary(log), request_body: log.requestBody, response_body: log.responseBody };
  }
}

function summary(log: RequestLogSummary): RequestLogSummaryResponse {
  return {
    id: log.id,
    created_at: timestamp(log.createdAt),
    endpoint: log.endpoint,
    method: log.method,
    response_status: log.responseStatus,
    user_agent: log.userAgent,
  };
}
