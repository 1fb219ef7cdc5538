import { thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { metrics } from '../../../domain/metric.js';
import { TooManyPeriodsError, TooManyRowsError } from '../../../domain/metrics-errors.js';
import { maxRows } from '../../../domain/metrics-request.js';
import { decodeMetricsQuery } from '../metrics.request.js';

const now = new Date('2026-11-30T00:00:00Z');
const refused = (query: Record<string, string>): ReturnType<typeof thrownBy> =>
  thrownBy(() => decodeMetricsQuery(query, now));

export const lists = 'Several are separated by commas, or the parameter is repeated.';
export const ids = (thing: string): string => `Only these ${thing}, up to 100 ids. ${lists}`;
export const exampleId = '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57';

const counts = { sent: 1_042, delivered: 1_031, delivery_rate: 98.94 };

const rowTexts: Record<string, string> = {
  period:
    'With the dimension `period`: the first day of the day, week (its Monday) or month, such as `2026-11-30`; for an hour the ' +
    'moment when it begins.',
  domain_id: 'With the dimension `domain`: id of the domain.',
  domain_name: 'With the dimension `domain`: its name.',
  email_id: 'With the dimension `email`: id of the email.',
  broadcast_id: 'With the dimension `broadcast`: id of the broadcast.',
  broadcast_name: 'With the dimension `broadcast`: its name, or its subject.',
};

export const countTexts = Object.fromEntries(
  metrics.map((metric) => [
    metric,
    {
      type: 'number',
      description: metric.endsWith('_rate') ? `\`${metric}\`, in percent.` : `Count of \`${metric}\`.`,
    },
  ]),
);

/** Parameters that metrics of all kinds share. */
export const rangeParameters = {
  start_date: {
    description:
      'Beginning of the range: an ISO 8601 date, with or without a time, in UTC if it has no offset. Default: ' +
      'six days before `end_date`. At most 400 days ago.',
    example: '2026-11-01',
  },
  end_date: {
    description: 'End of the range, exclusive. Default, and at most: now.',
    example: '2026-11-30T00:00:00Z',
  },
  timezone: {
    description: 'IANA time zone in which days, weeks and months begin.',
    schema: { default: 'UTC' },
    example: 'Europe/Berlin',
  },
  granularity: {
    description: `Length of a period. A range has at most ${maxRows} periods.`,
    schema: { default: 'daily' },
    example: 'daily',
  },
  metrics: {
    description: `What to count. Default: everything. ${lists}`,
    example: ['sent', 'delivered', 'delivery_rate'],
  },
};

export const apiDescription: ApiDescription = {
  tag: 'Metrics',
  tagDescription: 'Counts of the events of your emails. Counters are kept for 400 days.',
  schemas: {
    MetricsResponse: {
      description: 'Counts and rates of a range of time.',
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
              ...Object.fromEntries(
                Object.entries(rowTexts).map(([name, description]) => [
                  name,
                  { type: 'string', ...(name.endsWith('_id') ? { format: 'uuid' } : {}), description },
                ]),
              ),
              ...countTexts,
            },
          },
        },
      },
    },
  },
  operations: {
    'GET /emails/metrics': {
      operationId: 'getEmailMetrics',
      summary: 'Get metrics of emails',
      description:
        'Counts the events of the emails of your team, per recipient, by period, domain or email. Opens and clicks of ' +
        'machines do not count in `unique_opened`, `unique_clicked` and the rates. The rates of deliveries and bounces are ' +
        'shares of the sent emails; those of opens, clicks and complaints are shares of the delivered emails.',
      parameters: {
        ...rangeParameters,
        dimensions: {
          description: `What to break the counts down by. \`email\` needs \`email_id\`, and excludes \`broadcast\`. ${lists}`,
          example: ['period'],
        },
        domain_id: { description: ids('domains'), schema: { maxItems: 100 }, example: [exampleId] },
        email_id: { description: ids('emails'), schema: { maxItems: 100 }, example: [exampleId] },
        broadcast_id: {
          description: `${ids('broadcasts')} Not together with \`email_id\`.`,
          schema: { maxItems: 100 },
          example: [exampleId],
        },
      },
      responses: {
        200: {
          description: 'The metrics.',
          example: {
            object: 'metrics',
            start_date: '2026-11-01T00:00:00.000Z',
            end_date: '2026-11-03T00:00:00.000Z',
            metrics: ['sent', 'delivered', 'delivery_rate'],
            dimensions: ['period'],
            granularity: 'daily',
            totals: counts,
            data: [
              { period: '2026-11-01', sent: 542, delivered: 538, delivery_rate: 99.26 },
              { period: '2026-11-02', sent: 500, delivered: 493, delivery_rate: 98.6 },
            ],
          },
        },
      },
      errors: [
        refused({ start_date: 'yesterday' }),
        refused({ timezone: '+02:00' }),
        refused({ granularity: 'yearly' }),
        refused({ metrics: 'smiles' }),
        refused({ domain_id: 'x' }),
        refused({ dimensions: 'email' }),
        new TooManyPeriodsError(),
        new TooManyRowsError(),
      ],
    },
  },
};
