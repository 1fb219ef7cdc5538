import { CurrentPrincipal, PrincipalGuard, Requires } from '#identity';
import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { ApiQuery, DescribedBy, Responses } from '#platform/openapi';
import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ReadMetrics } from '../../application/read-metrics.query.js';
import { metrics } from '../../domain/metric.js';
import { broadcastDimensions, granularities } from '../../domain/metrics-request.js';
import { decodeBroadcastMetricsQuery } from './metrics.request.js';
import type { MetricsQuery } from './metrics.request.js';
import { broadcastMetricsResponse, BroadcastMetricsResponse } from './metrics.response.js';

const Text = (name: string): MethodDecorator => ApiQuery({ name, required: false, schema: { type: 'string' } });
const List = (name: string, items: object): MethodDecorator =>
  ApiQuery({ name, required: false, style: 'form', explode: false, schema: { type: 'array', items } });

@Controller('broadcasts/metrics')
@UseGuards(PrincipalGuard)
@DescribedBy(() => import('./description/broadcast-metrics.description.js'))
export class BroadcastMetricsController {
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
  @List('dimensions', { type: 'string', enum: broadcastDimensions })
  @List('broadcast_id', { type: 'string', format: 'uuid' })
  @Responses(BroadcastMetricsResponse)
  async metrics(
    @CurrentPrincipal() { teamId }: Principal,
    @Query() query: MetricsQuery,
  ): Promise<BroadcastMetricsResponse> {
    const request = decodeBroadcastMetricsQuery(query, this.clock.now());
    return broadcastMetricsResponse(request, await this.readMetrics.execute(teamId, request));
  }
}
