import { PermissionsOf, TeamId } from '#identity';
import { Clock } from '#kernel';
import { Describes, Operation, QueryList, Refuses, Responses } from '#http/openapi';
import { Controller, Get, Query } from '@nestjs/common';
import { dimensions, maxRowsOf, TooManyPeriodsError, TooManyRowsError } from '../../domain/metrics-request.js';
import { EmailMetrics } from '../../application/email-metrics.query.js';
import { metrics } from '../../domain/metric.js';
import { exampleId } from './example-ids.js';
import { MetricsResponse, metricsResponse } from './metrics.response.js';
import { decodeMetricsQuery, maxIds, RangeOfMetrics } from './metrics.request.js';
import type { MetricsQuery } from './metrics.request.js';

const now = new Date('2026-11-30T00:00:00Z');

@Controller('emails/metrics')
@Describes('Metrics', 'Counts of the events of your emails. Counters are kept for 400 days.')
@PermissionsOf('metrics')
export class MetricsController {
  constructor(
    private readonly emailMetrics: EmailMetrics,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation(
    'Get metrics of emails',
    'Counts the events of the emails of your team, per recipient, by period, domain or email. Opens and ' +
      'clicks of machines do not count in `unique_opened`, `unique_clicked` and the rates. The rates of ' +
      'deliveries and bounces are shares of the sent emails; those of opens, clicks and complaints are ' +
      'shares of the delivered emails.',
  )
  @RangeOfMetrics()
  @QueryList(
    'dimensions',
    'What to break the counts down by. `email` needs `email_id`, and excludes `broadcast`. Several are ' +
      'separated by commas, or the parameter is repeated.',
    { type: 'string', enum: dimensions },
    ['period'],
  )
  @QueryList(
    'domain_id',
    'Only these domains, up to 100 ids. Several are separated by commas, or the parameter is repeated.',
    { type: 'string', format: 'uuid' },
    [exampleId],
    { maxItems: maxIds },
  )
  @QueryList(
    'email_id',
    'Only these emails, up to 100 ids. Several are separated by commas, or the parameter is repeated.',
    { type: 'string', format: 'uuid' },
    [exampleId],
    { maxItems: maxIds },
  )
  @QueryList(
    'broadcast_id',
    'Only these broadcasts, up to 100 ids. Several are separated by commas, or the parameter is repeated. ' +
      'Not together with `email_id`.',
    { type: 'string', format: 'uuid' },
    [exampleId],
    { maxItems: maxIds },
  )
  @Responses(MetricsResponse, 'The metrics.')
  @Refuses(() => [
    () => decodeMetricsQuery({ start_date: 'yesterday' }, now),
    () => decodeMetricsQuery({ timezone: '+02:00' }, now),
    () => decodeMetricsQuery({ granularity: 'yearly' }, now),
    () => decodeMetricsQuery({ metrics: 'smiles' }, now),
    () => decodeMetricsQuery({ domain_id: 'x' }, now),
    () => decodeMetricsQuery({ dimensions: 'email' }, now),
    new TooManyPeriodsError(maxRowsOf({ metrics })),
    new TooManyRowsError(maxRowsOf({ metrics })),
  ])
  async getEmailMetrics(@TeamId() teamId: string, @Query() query: MetricsQuery) {
    const request = decodeMetricsQuery(query, this.clock.now());
    return metricsResponse(request, await this.emailMetrics.count(teamId, request));
  }
}
