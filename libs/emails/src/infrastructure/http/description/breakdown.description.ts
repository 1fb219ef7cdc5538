import { thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { parseBreakdownKey } from '../../../domain/email-breakdown.js';
import { filterErrors, filterParameters } from './email-filters.js';

const { domain_id, created_after, created_before } = filterParameters;

export const apiDescription: ApiDescription = {
  tag: 'Metrics',
  schemas: {
    BreakdownResponse: {
      description: 'What became of recipients, by what they share.',
      properties: {
        object: 'Always `breakdown`.',
        by: 'What they share.',
        examined: 'Emails that were examined: the newest of the range, at most 20,000.',
        is_sample: 'Whether the range has more emails than were examined.',
        data: 'The 25 most frequent keys, most frequent first.',
      },
    },
    BreakdownRowResponse: {
      description: 'The recipients that share a key.',
      properties: {
        key: 'The domain of the recipients, the id of the sending domain, or the tag as `name:value`.',
        name: 'Name of the sending domain; null for other keys.',
        recipients: 'Recipients, in whatever state.',
        delivered: 'Those that were delivered.',
        delayed: 'Those that wait after a deferral.',
        bounced: 'Those that bounced.',
        complained: 'Those that complained.',
        failed: 'Those that failed.',
        suppressed: 'Those that were suppressed.',
      },
    },
  },
  operations: {
    'GET /emails/breakdown': {
      operationId: 'getEmailBreakdown',
      summary: 'Get a breakdown of emails',
      description:
        'Counts the present states of the recipients of your newest emails, by the domain of the recipient, the sending ' +
        'domain or the tag. Metrics of exact periods are at `GET /emails/metrics`.',
      parameters: {
        by: {
          description:
            '`recipient_domain`: who receives it. `domain`: the sending domain. `tag`: name and value of a tag.',
          example: 'recipient_domain',
        },
        ...{ domain_id, created_after, created_before },
      },
      responses: {
        200: {
          description: 'The counts.',
          example: {
            object: 'breakdown',
            by: 'recipient_domain',
            examined: 1_042,
            is_sample: false,
            data: [
              {
                key: 'gmail.com',
                name: null,
                ...{ recipients: 610, delivered: 601, delayed: 2, bounced: 6, complained: 1, failed: 0, suppressed: 0 },
              },
            ],
          },
        },
      },
      errors: [thrownBy(() => parseBreakdownKey('provider')), ...filterErrors.slice(1)],
    },
  },
};
