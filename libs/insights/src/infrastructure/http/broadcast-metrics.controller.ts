import { PermissionsOf, TeamId } from '#identity';
import { Clock } from '#kernel';
import { Describes, Operation, QueryList, Refuses, Responses } from '#http/openapi';
import { Controller, Get, Query } from '@nestjs/common';
import { broadcastDimensions, maxRowsOf, TooManyPeriodsError, TooManyRowsError } from '../../domain/metrics-request.js';
import { EmailMetrics } from '../../application/email-metrics.query.js';
import { metrics } from '../../domain/metric.js';
import { exampleId } from './example-ids.js';
import { decodeBroadcastMetricsQuery, maxIds, RangeOfMetrics } from './metrics.request.js';
import type { MetricsQuery } from './metrics.request.js';
import { broadcastMetricsResponse, BroadcastMetricsResponse } from './metrics.response.js';

const now = new Date('2026-11-30T00:00:00Z');

@Controller('broadcasts/metrics')
@Describes('Metrics')
@PermissionsOf('metrics')
export class BroadcastMetricsController {
  constructor(
    private readonly emailMetrics: EmailMetrics,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation(
    'Get metrics of broadcasts',
    'The metrics of emails, of broadcasts alone, by period or by broadcast. They stay when the emails of ' +
      'a broadcast are removed.',
  )
  @RangeOfMetrics()
  @QueryList(
    'dimensions',
    'What to break the counts down by. Several are separated by commas, or the parameter is repeated.',
    { type: 'string', enum: broadcastDimensions },
    ['broadcast'],
  )
  @QueryList(
    'broadcast_id',
    'Only these broadcasts, up to 100 ids. Several are separated by commas, or the parameter is repeated.',
    { type: 'string', format: 'uuid' },
    [exampleId],
    { maxItems: maxIds },
  )
  @Responses(BroadcastMetricsResponse, 'The metrics.')
  @Refuses(() => [
    () => decodeBroadcastMetricsQuery({ dimensions: 'domain' }, now),
    () => decodeBroadcastMetricsQuery({ broadcast_id: 'x' }, now),
    new TooManyPeriodsError(maxRowsOf({ metrics })),
    new TooManyRowsError(maxRowsOf({ metrics })),
  ])
  async getBroadcastMetrics(@TeamId() teamId: string, @Query() query: MetricsQuery) {
    const request = decodeBroadcastMetricsQuery(query, this.clock.now());
    return broadcastMetricsResponse(request, await this.emailMetrics.count(teamId, request));
  }
}
