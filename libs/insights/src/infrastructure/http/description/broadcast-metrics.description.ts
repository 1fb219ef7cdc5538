import { thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { TooManyPeriodsError, TooManyRowsError } from '../../../domain/metrics-errors.js';
import { decodeBroadcastMetricsQuery } from '../metrics.request.js';
import { countTexts, exampleId, ids, lists, rangeParameters } from './metrics.description.js';

const now = new Date('2026-11-30T00:00:00Z');
const counts = { sent: 1_042, delivered: 1_031, delivery_rate: 98.94 };

export const apiDescription: ApiDescription = {
  tag: 'Metrics',
  schemas: {
    BroadcastMetricsResponse: {
      description: 'Counts and rates of broadcasts in a range of time.',
      properties: {
        object: 'Always `metrics`.',
        start_date: 'Beginning of the range, which may be later than requested.',
        end_date: 'End of the range, exclusive.',
        metrics: 'The metrics, in the order of the request.',
        dimensions: 'The dimensions.',
        granularity: 'Length of the periods.',
        totals: 'Totals of the whole range, by metric. Rates are in percent, to two decimal places.',
        data: {
          description: 'One row for each combination of the dimensions. Only with `dimensions`.',
          items: {
            type: 'object',
            properties: {
              id: {
                type: 'string',
                format: 'uuid',
                description: 'With the dimension `broadcast`: id of the broadcast.',
              },
              name: { type: 'string', description: 'With the dimension `broadcast`: its name, or its subject.' },
              period: { type: 'string', description: 'With the dimension `period`: as in the metrics of emails.' },
              ...countTexts,
            },
          },
        },
      },
    },
  },
  operations: {
    'GET /broadcasts/metrics': {
      operationId: 'getBroadcastMetrics',
      summary: 'Get metrics of broadcasts',
      description:
        'The metrics of emails, of broadcasts alone, by period or by broadcast. They stay when the emails of a broadcast are removed.',
      parameters: {
        ...rangeParameters,
        dimensions: { description: `What to break the counts down by. ${lists}`, example: ['broadcast'] },
        broadcast_id: { description: ids('broadcasts'), schema: { maxItems: 100 }, example: [exampleId] },
      },
      responses: {
        200: {
          description: 'The metrics.',
          example: {
            object: 'metrics',
            start_date: '2026-11-01T00:00:00.000Z',
            end_date: '2026-11-30T00:00:00.000Z',
            metrics: ['sent', 'delivered', 'delivery_rate'],
            dimensions: ['broadcast'],
            granularity: 'daily',
            totals: counts,
            data: [{ id: exampleId, name: 'November news', ...counts }],
          },
        },
      },
      errors: [
        thrownBy(() => decodeBroadcastMetricsQuery({ dimensions: 'domain' }, now)),
        thrownBy(() => decodeBroadcastMetricsQuery({ broadcast_id: 'x' }, now)),
        new TooManyPeriodsError(),
        new TooManyRowsError(),
      ],
    },
  },
};
