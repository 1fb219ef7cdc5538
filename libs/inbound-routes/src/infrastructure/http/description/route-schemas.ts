import type { ApiDescription } from '#platform/api-description';
import { patternForms } from '../../../domain/address-pattern.js';

export const routeId = '0193a1f6-2b7e-7d25-9c48-e1a5f7306b2d';

export const route = {
  object: 'route',
  id: routeId,
  name: 'Support',
  position: 2,
  recipient: 'support@acme.example',
  conditions: [],
  action: { type: 'forward', to: ['ada@customer.example'] },
  continue: false,
  enabled: true,
  created_at: '2026-11-30 20:41:12.3+00',
  updated_at: '2026-11-30 20:41:12.3+00',
};

const action = {
  type:
    '`webhook`: the event `email.received`. `forward`: to other addresses. `smtp`, `lmtp`: to a host of yours. `reject`: refuse the ' +
    'recipient. `drop`: accept the message and do nothing.',
  to: 'Addresses to forward to; for `forward`.',
  host: 'Host name or IP address; for `smtp` and `lmtp`. Private addresses need a permission of the operator.',
  port: 'Port; for `smtp` (25 by default) and `lmtp` (24 by default).',
  text: 'Text of the refusal, one line of ASCII; for `reject`.',
};
const condition = {
  header: 'Name of a header field.',
  test: 'How the field is compared, without regard to case.',
  value: 'Text to compare with; empty for `exists`.',
  not: 'Whether the condition holds where the test does not.',
};
const fields = {
  name: 'Name, for people.',
  recipient: `Recipients that the route is for: ${patternForms}.`,
  conditions: 'Conditions on the header; all of them must hold.',
  action: 'What to do.',
  continue: 'Whether the routes behind it are looked at as well where it matches.',
  enabled: 'Whether it is looked at.',
  position: 'Place in the order, from 1.',
};
const shown = {
  id: 'Id of the route.',
  ...fields,
  created_at: 'When it was created.',
  updated_at: 'When it was changed last.',
};

export const schemas: ApiDescription['schemas'] = {
  RouteConditionRequest: { description: 'A condition on the header.', properties: condition },
  RouteActionRequest: { description: 'An action: its type, and the fields that the type needs.', properties: action },
  CreateRouteRequest: { description: 'A route.', properties: fields },
  UpdateRouteRequest: { description: 'Changes of a route.', properties: fields },
  ExplainRouteRequest: {
    description: 'A message that might come.',
    properties: { recipient: 'The address.', headers: 'Header fields of the message, at most 100.' },
  },
  RouteConditionResponse: { description: 'A condition on the header.', properties: condition },
  RouteActionResponse: { description: 'An action.', properties: action },
  RouteSummaryResponse: { description: 'A route.', properties: shown },
  RouteResponse: { description: 'A route.', properties: { object: 'Always `route`.', ...shown } },
  RemovedRouteResponse: {
    description: 'The route that was removed.',
    properties: { object: 'Always `route`.', id: 'Id of the route.', deleted: 'Always true.' },
  },
  ExplainedStepResponse: {
    description: 'A route that was looked at.',
    properties: {
      route_id: 'Id of the route.',
      name: 'Its name.',
      result: 'Whether it matches, and if not, why.',
      reason: 'The same in words.',
    },
  },
  ExplainedActionResponse: {
    description: 'An action that would be done.',
    properties: {
      ...action,
      route_id: 'The route that asks for it; null for the default.',
      problem: 'Why it cannot be done now; null where nothing is known to stand in the way.',
    },
  },
  RouteExplanationResponse: {
    description: 'What would happen to a message.',
    properties: {
      object: 'Always `route_explanation`.',
      recipient: 'The address.',
      outcome:
        '`accepted`, `rejected`, `dropped`, `report` (an address for reports about the domain) or `not_ours` (its mail does not come here).',
      reason: 'Why.',
      reply: 'The SMTP reply of a refusal; null where the recipient is accepted.',
      actions: 'What would be done, in order.',
      steps: 'The routes that were looked at, in order.',
    },
  },
};
