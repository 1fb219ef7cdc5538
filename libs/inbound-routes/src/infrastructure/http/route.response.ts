import { timestamp } from '#platform/http';
import {
  Always,
  ApiProperty,
  ApiPropertyOptional,
  Flag,
  Id,
  IdOrNull,
  Moment,
  OneOf,
  Text,
  TextOrNull,
  Whole,
} from '#platform/openapi';
import type { Explanation } from '../../application/explain-route.query.js';
import { formatPattern } from '../../domain/address-pattern.js';
import { conditionTests } from '../../domain/header-condition.js';
import type { HeaderCondition } from '../../domain/header-condition.js';
import type { Step } from '../../domain/evaluate.js';
import type { Route, RouteAction } from '../../domain/route.js';

class RouteConditionResponse {
  @Text() header!: string;
  @OneOf(...conditionTests) test!: string;
  @Text() value!: string;
  @Flag() not!: boolean;
}

class RouteActionResponse {
  @OneOf('webhook', 'forward', 'smtp', 'lmtp', 'reject', 'drop') type!: RouteAction['type'];
  @ApiPropertyOptional({ type: [String] }) to?: readonly string[];
  @ApiPropertyOptional({ type: String }) host?: string;
  @ApiPropertyOptional({ type: 'integer' }) port?: number;
  @ApiPropertyOptional({ type: String }) text?: string;
}

export class RouteSummaryResponse {
  @Id() id!: string;
  @Text() name!: string;
  @Whole() position!: number;
  @Text() recipient!: string;
  @ApiProperty({ type: [RouteConditionResponse] }) conditions!: readonly HeaderCondition[];
  @ApiProperty({ type: RouteActionResponse }) action!: RouteAction;
  @Flag() continue!: boolean;
  @Flag() enabled!: boolean;
  @Moment() created_at!: string;
  @Moment() updated_at!: string;
}

export class RouteResponse extends RouteSummaryResponse {
  @OneOf('route') object!: 'route';
}

export class RemovedRouteResponse {
  @OneOf('route') object!: 'route';
  @Id() id!: string;
  @Always(true) deleted!: true;
}

class ExplainedStepResponse {
  @Id() route_id!: string;
  @Text() name!: string;
  @OneOf('matched', 'other_recipient', 'header_differs', 'disabled') result!: Step['result'];
  @Text() reason!: string;
}

class ExplainedActionResponse extends RouteActionResponse {
  @IdOrNull() route_id!: string | null;
  @TextOrNull() problem!: string | null;
}

export class RouteExplanationResponse {
  @OneOf('route_explanation') object!: 'route_explanation';
  @Text() recipient!: string;
  @OneOf('accepted', 'rejected', 'dropped', 'report', 'not_ours') outcome!: string;
  @Text() reason!: string;
  @TextOrNull() reply!: string | null;
  @ApiProperty({ type: [ExplainedActionResponse] }) actions!: ExplainedActionResponse[];
  @ApiProperty({ type: [ExplainedStepResponse] }) steps!: ExplainedStepResponse[];
}

export function routeSummary(route: Route): RouteSummaryResponse {
  return {
    id: route.id,
    name: route.name,
    position: route.position,
    recipient: formatPattern(route.recipient),
    conditions: route.conditions,
    action: route.action,
    continue: route.goesOn,
    enabled: route.enabled,
    created_at: timestamp(route.createdAt),
    updated_at: timestamp(route.updatedAt),
  };
}

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
  const problemOf = ({ type }: RouteAction): string | null => (type === 'forward' ? forwardProblem : null);
  const actions = verdict.actions.map(({ routeId, action }) => ({
    ...action,
    route_id: routeId,
    problem: problemOf(action as RouteAction),
  }));
  return { ...base, ...outcomeOf(explanation), actions, steps };
}

function outcomeOf({ verdict, atRcpt }: Explanation): Pick<RouteExplanationResponse, 'outcome' | 'reason' | 'reply'> {
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
