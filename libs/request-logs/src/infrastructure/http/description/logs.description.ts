import { NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { parseLogFilter } from '../../../domain/log-filter.js';

const logId = '0193a1f4-52e9-7a60-83d1-4be27c9f1a08';

const log = {
  id: logId,
  created_at: '2026-11-30 20:39:59.54+00',
  endpoint: '/emails',
  method: 'POST',
  response_status: 200,
  user_agent: 'resend-node:6.38.0',
};

const fields = {
  id: 'Id of the log entry.',
  created_at: 'When the response was sent.',
  endpoint: 'Path of the request, at most 500 characters.',
  method: 'HTTP method.',
  response_status: { description: 'HTTP status of the response.', minimum: 100, maximum: 599 },
  user_agent: 'The `User-Agent` of the client, at most 500 characters; null if there was none.',
};

const body = {
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  items: {},
  additionalProperties: true,
};

export const apiDescription: ApiDescription = {
  tag: 'Logs',
  tagDescription: 'The API requests of your team, with secrets masked and long bodies cut.',
  schemas: {
    RequestLogSummaryResponse: { description: 'A request without its bodies.', properties: fields },
    RequestLogResponse: {
      description: 'A request with its bodies.',
      properties: {
        object: 'Always `log`.',
        ...fields,
        request_body: {
          ...body,
          description:
            'The body as JSON, with secrets masked: texts are cut to 1,000 characters, lists to 100 items, all of it to ' +
            '8,000 characters. Null if there was none.',
        },
        response_body: {
          ...body,
          description: 'The body of the response, cut in the same way. Null if it was not kept.',
        },
      },
    },
  },
  operations: {
    'GET /logs': {
      operationId: 'listLogs',
      summary: 'List API requests',
      description:
        'The API requests of your team, newest first, in pages. Refused requests are listed as well. With a filter, a request ' +
        'examines a bounded number of entries: as long as `next` is not null, go on with it as `after` (or `before`).',
      parameters: {
        ...pageParameters,
        status: {
          description: 'Requests with this status, such as `404`, or of this class, such as `4xx`.',
          example: '2xx',
        },
        method: { description: 'Requests with this HTTP method.', example: 'POST' },
      },
      responses: {
        200: { description: 'A page of requests.', example: { object: 'list', has_more: false, data: [log] } },
      },
      errors: [
        ...pageErrors,
        thrownBy(() => parseLogFilter({ status: 'bad' })),
        thrownBy(() => parseLogFilter({ method: 'TRACE' })),
      ],
    },
    'GET /logs/{logId}': {
      operationId: 'getLog',
      summary: 'Get an API request',
      description: 'One API request with its bodies.',
      parameters: { logId: idParameter('Id of the log entry.', logId) },
      responses: {
        200: {
          description: 'The request.',
          example: {
            object: 'log',
            ...log,
            request_body: {
              from: 'Acme <hello@acme.example>',
              to: ['ada@customer.example'],
              subject: 'Your order is on its way',
              text: 'It arrives on Friday.',
            },
            response_body: { id: '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31' },
          },
        },
      },
      errors: [invalidId('logId'), new NotFoundError('Log')],
    },
  },
};
