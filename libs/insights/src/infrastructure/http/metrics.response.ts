import { ApiProperty, ApiPropertyOptional, OneOf } from '#platform/openapi';
import { CountedEvents } from '../../application/ports/email-counters.port.js';
import { metrics, metricsOf } from '../../domain/metric.js';
import { broadcastDimensions, dimensions, granularities, MetricsRequest } from '../../domain/metrics-request.js';

const numbers = { type: 'object', additionalProperties: { type: 'number' } } as const;
const row = {
  type: 'object',
  properties: {
    period: { type: 'string' },
    domain_id: { type: 'string', format: 'uuid' },
    domain_name: { type: 'string' },
    email_id: { type: 'string', format: 'uuid' },
    broadcast_id: { type: 'string', format: 'uuid' },
    broadcast_name: { type: 'string' },
    ...Object.fromEntries(metrics.map((metric) => [metric, { type: 'number' }])),
  },
} as const;

export class MetricsResponse {
  @OneOf('metrics') object!: 'metrics';
  @ApiProperty({ type: String, format: 'date-time' }) start_date!: string;
  @ApiProperty({ type: String, format: 'date-time' }) end_date!: string;
  @ApiProperty({ type: [String], enum: metrics }) metrics!: readonly string[];
  @ApiProperty({ type: [String], enum: dimensions }) dimensions!: readonly string[];
  @OneOf(...granularities) granularity!: string;
  /** Rates are in percent. */
  @ApiProperty(numbers) totals!: Record<string, number>;
  /** Only with `dimensions`. */
  @ApiPropertyOptional({ type: 'array', items: row }) data?: object[];
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
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    period: { type: 'string' },
    ...Object.fromEntries(metrics.map((metric) => [metric, { type: 'number' }])),
  },
} as const;

export class BroadcastMetricsResponse {
  @OneOf('metrics') object!: 'metrics';
  @ApiProperty({ type: String, format: 'date-time' }) start_date!: string;
  @ApiProperty({ type: String, format: 'date-time' }) end_date!: string;
  @ApiProperty({ type: [String], enum: metrics }) metrics!: readonly string[];
  @ApiProperty({ type: [String], enum: broadcastDimensions }) dimensions!: readonly string[];
  @OneOf(...granularities) granularity!: string;
  /** Rates are in percent. */
  @ApiProperty(numbers) totals!: Record<string, number>;
  /** Only with `dimensions`. */
  @ApiPropertyOptional({ type: 'array', items: broadcastRow }) data?: object[];
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
