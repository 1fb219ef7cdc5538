import { toResponse } from '#http/server';
import {
  Always,
  Deleted,
  Field,
  Flag,
  Id,
  IdOrNull,
  ListOf,
  Moment,
  OneOf,
  OptionalField,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Whole,
} from '#http/openapi';
import type { Explanation } from '../../application/explain-route.query.js';
import { formatPattern, patternForms } from '../../domain/address-pattern.js';
import { conditionTests } from '../../domain/header-condition.js';
import type { HeaderCondition } from '../../domain/header-condition.js';
import type { Step } from '../../domain/evaluate.js';
import type { Route, RouteAction } from '../../domain/route.js';

export const routeId = '0193a1f6-2b7e-7d25-9c48-e1a5f7306b2d';
export const receivedId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';

@Shape('A condition on the header.')
class RouteConditionResponse {
  @Text('Name of a header field.') header!: string;
  @OneOf(conditionTests, 'How the field is compared, without regard to case.') test!: string;
  @Text('Text to compare with; empty for `exists`.') value!: string;
  @Flag('Whether the condition holds where the test does not.') not!: boolean;
}

@Shape('An action.')
class RouteActionResponse {
  @OneOf(
    ['webhook', 'forward', 'smtp', 'lmtp', 'reject', 'drop'],
    '`webhook`: the event `email.received`. `forward`: to other addresses. `smtp`, `lmtp`: to a host of ' +
      'yours. `reject`: refuse the recipient. `drop`: accept the message and do nothing.',
    'forward',
  )
  type!: RouteAction['type'];
  @OptionalField('Addresses to forward to; for `forward`.', { type: [String] }, ['ada@customer.example'])
  to?: readonly string[];
  @OptionalField('Host name or IP address; for `smtp` and `lmtp`. Private addresses need a permission of the operator.')
  host?: string;
  @OptionalField('Port; for `smtp` (25 by default) and `lmtp` (24 by default).', { type: 'integer' }) port?: number;
  @OptionalField('Text of the refusal, one line of ASCII; for `reject`.') text?: string;
}

@Shape('A route.')
export class RouteSummaryResponse {
  @Id('Id of the route.', routeId) id!: string;
  @Text('Name, for people.', 'Support') name!: string;
  @Whole('Place in the order, from 1.', 2) position!: number;
  @Text(`Recipients that the route is for: ${patternForms}.`, 'support@acme.example') recipient!: string;
  @ListOf(RouteConditionResponse, 'Conditions on the header; all of them must hold.', [])
  conditions!: readonly HeaderCondition[];
  @Field('What to do.', { type: RouteActionResponse }) action!: RouteAction;
  @Flag('Whether the routes behind it are looked at as well where it matches.', false) continue!: boolean;
  @Flag('Whether it is looked at.', true) enabled!: boolean;
  @Moment('When it was created.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @Moment('When it was changed last.', '2026-11-30 20:41:12.3+00') updated_at!: string;
}

@Shape('A route.')
export class RouteResponse extends RouteSummaryResponse {
  @Always('route') object!: 'route';
}

@Shape('The route that was removed.')
export class RemovedRouteResponse extends Deleted(ReferenceTo('route', 'Id of the route.', routeId)) {}

@Shape('A route that was looked at.')
class ExplainedStepResponse {
  @Id('Id of the route.', routeId) route_id!: string;
  @Text('Its name.', 'Support') name!: string;
  @OneOf(
    ['matched', 'other_recipient', 'header_differs', 'disabled'],
    'Whether it matches, and if not, why.',
    'matched',
  )
  result!: Step['result'];
  @Text('The same as a sentence.', 'The recipient matches support@acme.example.') reason!: string;
}

@Shape('An action that would be done.')
class ExplainedActionResponse extends RouteActionResponse {
  @IdOrNull('The route that asks for it; null for the default.', routeId) route_id!: string | null;
  @TextOrNull('Why it cannot be done now; null if nothing is known to stand in the way.')
  problem!: string | null;
}

@Shape('What would happen to a message.')
export class RouteExplanationResponse {
  @Always('route_explanation') object!: 'route_explanation';
  @Text('The address.', 'support@acme.example') recipient!: string;
  @OneOf(
    ['accepted', 'rejected', 'dropped', 'report', 'not_ours'],
    '`accepted`, `rejected`, `dropped`, `report` (an address for reports about the domain) or `not_ours` ' +
      '(its mail does not come here).',
    'accepted',
  )
  outcome!: string;
  @Text('Why.', 'The actions of the routes that match are done in this order.') reason!: string;
  @TextOrNull('The SMTP reply of a refusal; null if the recipient is accepted.') reply!: string | null;
  @ListOf(ExplainedActionResponse, 'What would be done, in order.') actions!: ExplainedActionResponse[];
  @ListOf(ExplainedStepResponse, 'The routes that were looked at, in order.') steps!: ExplainedStepResponse[];
}

export const routeSummary = (route: Route): RouteSummaryResponse =>
  toResponse(RouteSummaryResponse, route, {
    recipient: formatPattern(route.recipient),
    continue: route.goesOn,
  });

export function explanationResponse(explanation: Explanation): RouteExplanationResponse {
  const { address, verdict, routes, forwardProblem } = explanation;
  const base = { object: 'route_explanation', recipient: address, reply: null } as const;
  if (explanation.isReportAddress) {
    const reason = 'The address takes reports about the domain. They are counted and never shown as mail.';
    return { ...base, outcome: 'report', reason, actions: [], steps: [] };
  }
  if (!explanation.isOwn) {
    const reason = 'The domain of the address is not one of your domains that receive, so its mail does not come here.';
    return { ...base, outcome: 'not_ours', reason, actions: [], steps: [] };
  }
  const steps = verdict.steps.map(({ routeId, result }) => stepResponse(routes.get(routeId), routeId, result));
  if (explanation.refusal !== undefined) {
    const { replyCode, enhancedCode, text } = explanation.refusal;
    const reason = 'The server refuses the recipient, whatever its routes say.';
    return { ...base, outcome: 'rejected', reason, reply: `${replyCode} ${enhancedCode} ${text}`, actions: [], steps };
  }
  const problemOf = ({ type }: RouteAction): string | null => (type === 'forward' ? forwardProblem : null);
  const actions = verdict.actions.map(({ routeId, action }) => ({
    ...action,
    route_id: routeId,
    problem: problemOf(action as RouteAction),
  }));
  return { ...base, ...outcomeOf(explanation), actions, steps };
}

function outcomeOf(explanation: Explanation): Pick<RouteExplanationResponse, 'outcome' | 'reason' | 'reply'> {
  const { verdict, atRcpt, isInbox } = explanation;
  if (isInbox && (verdict.rejection !== undefined || verdict.actions.length === 0)) {
    return {
      outcome: 'accepted',
      reason: 'The address has an inbox, which takes its mail whatever routes say.',
      reply: null,
    };
  }
  if (verdict.rejection !== undefined && atRcpt.rejection !== undefined) {
    return { outcome: 'rejected', reason: 'A route refuses the recipient.', reply: `550 5.1.1 ${verdict.rejection}` };
  }
  if (verdict.rejection !== undefined) {
    const reason =
      'A route would refuse the recipient. But whether it applies depends on the header, which arrives too late for a refusal: the message is kept without an event.';
    return { outcome: 'dropped', reason, reply: null };
  }
  if (verdict.actions.length === 0) return { outcome: 'dropped', reason: 'A route drops the message.', reply: null };
  const isDefault = verdict.actions.every(({ routeId }) => routeId === null);
  const reason = isDefault
    ? 'No route matches: the message is kept and announced by `email.received`.'
    : 'The actions of the routes that match are done in this order.';
  return { outcome: 'accepted', reason, reply: null };
}

function stepResponse(route: Route | undefined, routeId: string, result: Step['result']): ExplainedStepResponse {
  return { route_id: routeId, name: route?.name ?? '', result, reason: reasonOf(route, result) };
}

function reasonOf(route: Route | undefined, result: Step['result']): string {
  const pattern = route === undefined ? '' : formatPattern(route.recipient);
  switch (result) {
    case 'matched':
      return `The recipient matches ${pattern}${route?.conditions.length === 0 ? '' : ', and all conditions hold'}.`;
    case 'other_recipient':
      return `The recipient does not match ${pattern}.`;
    case 'header_differs':
      return 'A condition on the header does not hold.';
    case 'disabled':
      return 'The route is disabled.';
  }
}
