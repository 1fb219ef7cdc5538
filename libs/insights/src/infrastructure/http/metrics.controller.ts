import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { Responses, ApiQuery, DescribedBy } from '#platform/openapi';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ReadMetrics } from '../../application/read-metrics.query.js';
import { dimensions, granularities } from '../../domain/metrics-request.js';
import { metrics } from '../../domain/metric.js';
import { MetricsResponse, metricsResponse } from './metrics.response.js';
import { decodeMetricsQuery } from './metrics.request.js';
import type { MetricsQuery } from './metrics.request.js';

const Text = (name: string): MethodDecorator => ApiQuery({ name, required: false, schema: { type: 'string' } });
const List = (name: string, items: object): MethodDecorator =>
  ApiQuery({ name, required: false, style: 'form', explode: false, schema: { type: 'array', items } });

@Controller('emails/metrics')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/metrics.description.js'))
export class MetricsController {
  constructor(
    private readonly readMetrics: ReadMetrics,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('metrics:read')
  @Text('start_date')
  @Text('end_date')
  @Text('timezone')
  @ApiQuery({ name: 'granularity', required: false, enum: granularities })
  @List('metrics', { type: 'string', enum: metrics })
  @List('dimensions', { type: 'string', enum: dimensions })
  @List('domain_id', { type: 'string', format: 'uuid' })
  @List('email_id', { type: 'string', format: 'uuid' })
  @List('broadcast_id', { type: 'string', format: 'uuid' })
  @Responses(MetricsResponse)
  async metrics(@CurrentPrincipal() principal: Principal, @Query() query: MetricsQuery): Promise<MetricsResponse> {
    const request = decodeMetricsQuery(query, this.clock.now());
    return metricsResponse(request, await this.readMetrics.execute(principal.teamId, request));
  }
}
