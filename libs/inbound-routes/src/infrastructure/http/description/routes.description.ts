import { MissingFieldError, NotFoundError } from '#kernel';
import { idParameter, invalidId, pageErrors, pageParameters, thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { CannotForwardError } from '../../../application/forwarding-domains.js';
import { TooManyRoutesError } from '../../../application/manage-routes.use-case.js';
import { checkCombination, parseAction } from '../../../domain/new-route.js';
import { maxRoutes } from '../../../domain/route.js';
import { decodeExplanation, decodeNewRoute } from '../route.request.js';
import { route, routeId, schemas } from './route-schemas.js';

const id = idParameter('Id of the route.', routeId);
const unknown = [invalidId('id'), new NotFoundError('Route')];
const invalidPattern = thrownBy(() => decodeNewRoute({ recipient: 'acme.example', action: { type: 'drop' } }));
const invalidAction = thrownBy(() => parseAction({ type: 'answer' }));
const conditions = [{ header: 'subject', test: 'contains', value: 'x', not: false }] as const;
const conditionalReject = thrownBy(() => checkCombination(conditions, { type: 'reject', text: 'No' }));

export const apiDescription: ApiDescription = {
  tag: 'Routes',
  tagDescription:
    'What happens to mail for your receiving domains: announce it, forward it, hand it to a host of yours, refuse it or drop it. ' +
    'Routes are looked at in the order of their positions; the first that matches decides, unless it says `continue`. Where none ' +
    'matches, the mail is kept and announced by `email.received`. An addition of Postrider.',
  schemas,
  operations: {
    'POST /routes': {
      operationId: 'createRoute',
      summary: 'Create a route',
      description: `Adds a route at a position, or behind all others. A team may have ${maxRoutes} routes.`,
      request: {
        description: 'The route.',
        examples: {
          forward: {
            summary: 'Forward an address',
            value: { recipient: 'support@acme.example', action: { type: 'forward', to: ['ada@customer.example'] } },
          },
          tagged: {
            summary: 'Hand tagged addresses to a host',
            value: {
              name: 'Tickets',
              recipient: 'ticket+*@acme.example',
              action: { type: 'lmtp', host: 'tickets.acme.example', port: 24 },
              position: 1,
            },
          },
          drop: {
            summary: 'Drop by subject',
            value: {
              recipient: '*@*.acme.example',
              conditions: [{ header: 'subject', test: 'starts_with', value: 'Out of office' }],
              action: { type: 'drop' },
            },
          },
        },
      },
      responses: { 201: { description: 'The route.', example: route } },
      errors: [
        new MissingFieldError('recipient'),
        invalidPattern,
        invalidAction,
        conditionalReject,
        new CannotForwardError('acme.example'),
        new TooManyRoutesError(),
      ],
    },
    'POST /routes/explain': {
      operationId: 'explainRoute',
      summary: 'Explain what happens to an address',
      description: 'Says what would happen to a message for an address, and why. Nothing is sent and nothing changes.',
      request: {
        description: 'The recipient, and the header fields that conditions look at.',
        examples: {
          address: {
            summary: 'An address',
            value: { recipient: 'support@acme.example', headers: { Subject: 'Where is my order?' } },
          },
        },
      },
      responses: {
        200: {
          description: 'The explanation.',
          example: {
            object: 'route_explanation',
            recipient: 'support@acme.example',
            outcome: 'accepted',
            reason: 'The actions of the routes that match are done in this order.',
            reply: null,
            actions: [{ type: 'forward', to: ['ada@customer.example'], route_id: routeId, problem: null }],
            steps: [
              {
                route_id: routeId,
                name: 'Support',
                result: 'matched',
                reason: 'The recipient matches support@acme.example.',
              },
            ],
          },
        },
      },
      errors: [new MissingFieldError('recipient'), thrownBy(() => decodeExplanation({ recipient: 'support' }))],
    },
    'GET /routes': {
      operationId: 'listRoutes',
      summary: 'List routes',
      description: 'The routes of your team in the order in which they are looked at, in pages.',
      parameters: pageParameters,
      responses: {
        200: {
          description: 'A page of routes.',
          example: { object: 'list', has_more: false, data: [withoutObject()] },
        },
      },
      errors: [...pageErrors],
    },
    'GET /routes/{id}': {
      operationId: 'getRoute',
      summary: 'Get a route',
      description: 'One route.',
      parameters: { id },
      responses: { 200: { description: 'The route.', example: route } },
      errors: unknown,
    },
    'PATCH /routes/{id}': {
      operationId: 'updateRoute',
      summary: 'Change a route',
      description: 'Changes the given fields. Another `position` moves the route; those in between make room.',
      parameters: { id },
      request: {
        description: 'The changes.',
        examples: { move: { summary: 'To the front', value: { position: 1 } } },
      },
      responses: { 200: { description: 'The route.', example: { ...route, position: 1 } } },
      errors: [...unknown, invalidPattern, invalidAction, conditionalReject, new CannotForwardError('acme.example')],
    },
    'DELETE /routes/{id}': {
      operationId: 'removeRoute',
      summary: 'Remove a route',
      description: 'The routes behind it move up.',
      parameters: { id },
      responses: {
        200: { description: 'The route is removed.', example: { object: 'route', id: routeId, deleted: true } },
      },
      errors: unknown,
    },
  },
};

function withoutObject(): object {
  const { object: _, ...summary } = route;
  return summary;
}
