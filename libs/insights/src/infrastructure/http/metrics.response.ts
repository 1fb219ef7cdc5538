import { Always, Field, Instant, OneOf, OptionalField, Shape } from '#http/openapi';
import type { Schema } from '#http/openapi';
import { CountedEvents } from '../../application/ports/email-counters.port.js';
import { metrics, metricsOf } from '../../domain/metric.js';
import { broadcastDimensions, dimensions, granularities, MetricsRequest } from '../../domain/metrics-request.js';
import { exampleId } from './example-ids.js';

const numbers = { type: 'object', additionalProperties: { type: 'number' } } as const;
const counts = Object.fromEntries(
  metrics.map((metric) => {
    const description = metric.endsWith('_rate') ? `\`${metric}\`, in percent.` : `Count of \`${metric}\`.`;
    return [metric, { type: 'number', description }];
  }),
);

const ofDimension = (dimension: string, description: string, more: Schema = {}): Schema => ({
  type: 'string',
  ...more,
  description: `With the dimension \`${dimension}\`: ${description}`,
});

const row = {
  type: 'object',
  properties: {
    period: ofDimension(
      'period',
      'the day, the Monday of the week, or the first day of the month, such as `2026-11-30`; for an hour the moment when it begins.',
    ),
    domain_id: ofDimension('domain', 'id of the domain.', { format: 'uuid' }),
    domain_name: ofDimension('domain', 'its name.'),
    email_id: ofDimension('email', 'id of the email.', { format: 'uuid' }),
    broadcast_id: ofDimension('broadcast', 'id of the broadcast.', { format: 'uuid' }),
    broadcast_name: ofDimension('broadcast', 'its name, or its subject.'),
    ...counts,
  },
};

/** What both kinds of metrics have in common. */
abstract class RangeResponse {
  @Always('metrics') object!: 'metrics';
  @Instant('Beginning of the range, which may be later than requested.', '2026-11-01T00:00:00.000Z')
  start_date!: string;
  @Instant('End of the range, exclusive.', '2026-11-03T00:00:00.000Z') end_date!: string;
  @Field('The metrics, in the order of the request.', { type: [String], enum: metrics }, [
    'sent',
    'delivered',
    'delivery_rate',
  ])
  metrics!: readonly string[];
  @OneOf(granularities, 'Length of the periods.', 'daily') granularity!: string;
  @Field('Totals of the whole range, by metric. Rates are in percent, to two decimal places.', numbers, {
    sent: 1042,
    delivered: 1031,
    delivery_rate: 98.94,
  })
  totals!: Record<string, number>;
}

const rowsText = 'One row for each combination of the dimensions. Only with `dimensions`.';

@Shape('Counts and rates of a range of time.')
export class MetricsResponse extends RangeResponse {
  @Field('The dimensions.', { type: [String], enum: dimensions }, ['period']) dimensions!: readonly string[];
  @OptionalField(rowsText, { type: 'array', items: row }, [
    { period: '2026-11-01', sent: 542, delivered: 538, delivery_rate: 99.26 },
    { period: '2026-11-02', sent: 500, delivered: 493, delivery_rate: 98.6 },
  ])
  data?: object[];
}

export function metricsResponse(request: MetricsRequest, { totals, rows }: CountedEvents): MetricsResponse {
  const response: MetricsResponse = {
    object: 'metrics',
    start_date: request.start.toISOString(),
    end_date: request.end.toISOString(),
    metrics: request.metrics,
    dimensions: request.dimensions,
    granularity: request.granularity,
    totals: metricsOf(totals, request.metrics),
  };
  if (request.dimensions.length === 0) return response;
  return {
    ...response,
    data: rows.map(({ period, domainId, domainName, emailId, broadcastId, broadcastName, counts }) => ({
      ...(period === undefined ? {} : { period }),
      ...(domainId === undefined ? {} : { domain_id: domainId }),
      ...(typeof domainName === 'string' ? { domain_name: domainName } : {}),
      ...(emailId === undefined ? {} : { email_id: emailId }),
      ...(broadcastId === undefined ? {} : { broadcast_id: broadcastId }),
      ...(typeof broadcastName === 'string' ? { broadcast_name: broadcastName } : {}),
      ...metricsOf(counts, request.metrics),
    })),
  };
}

const broadcastRow = {
  type: 'object',
  properties: {
    id: ofDimension('broadcast', 'id of the broadcast.', { format: 'uuid' }),
    name: ofDimension('broadcast', 'its name, or its subject.'),
    period: ofDimension('period', 'as in the metrics of emails.'),
    ...counts,
  },
};

@Shape('Counts and rates of broadcasts in a range of time.')
export class BroadcastMetricsResponse extends RangeResponse {
  @Field('The dimensions.', { type: [String], enum: broadcastDimensions }, ['broadcast'])
  dimensions!: readonly string[];
  @OptionalField(rowsText, { type: 'array', items: broadcastRow }, [
    { id: exampleId, name: 'November news', sent: 1042, delivered: 1031, delivery_rate: 98.94 },
  ])
  data?: object[];
}

/** The same numbers, with the broadcast as the thing of each row. */
export function broadcastMetricsResponse(request: MetricsRequest, counted: CountedEvents): BroadcastMetricsResponse {
  const response = metricsResponse(request, counted);
  if (request.dimensions.length === 0) return response;
  return {
    ...response,
    data: counted.rows.map(({ period, broadcastId, broadcastName, counts }) => ({
      ...(broadcastId === undefined ? {} : { id: broadcastId, name: broadcastName ?? '' }),
      ...(period === undefined ? {} : { period }),
      ...metricsOf(counts, request.metrics),
    })),
  };
}
