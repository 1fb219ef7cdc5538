import { NotFoundError } from '#kernel';
import { idParameter, invalidId } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { routeId } from './route-schemas.js';

const receivedId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';

export const apiDescription: ApiDescription = {
  tag: 'Routes',
  schemas: {
    RoutingResultResponse: {
      description: 'What an action came to.',
      properties: {
        route_id: 'The route that asked for it; null for the default.',
        action: 'The action.',
        target: 'The address or host that it is for.',
        outcome: '`done`; `refused` by the host; `loop`: the message has been here before; `not_possible`.',
        detail: 'The reply of the host, or the reason; null where there is none.',
        email_id: 'The email that passes the message on, with its own events; null for other actions.',
        created_at: 'When it ended.',
      },
    },
  },
  operations: {
    'GET /emails/receiving/{id}/routing': {
      operationId: 'listRoutingResults',
      summary: 'See what routes did for a received email',
      description:
        'The actions that have ended for a received email. An action that is still tried is not in the list. An addition of Postrider.',
      parameters: { id: idParameter('Id of the received email.', receivedId) },
      responses: {
        200: {
          description: 'The results.',
          example: {
            object: 'list',
            has_more: false,
            data: [
              {
                route_id: routeId,
                action: 'forward',
                target: 'ada@customer.example',
                outcome: 'done',
                detail: null,
                email_id: '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d',
                created_at: '2026-11-30 20:41:12.3+00',
              },
            ],
          },
        },
      },
      errors: [invalidId('id'), new NotFoundError('Email')],
    },
  },
};
