import { matchesAddress } from './address-pattern.js';
import { HeaderValue, holds } from './header-condition.js';
import { Route, RouteAction } from './route.js';

/** What happens to a message for one recipient. */
export interface Verdict {
  /** In the order in which the routes say so. Empty where it is dropped. */
  readonly actions: readonly { readonly routeId: string | null; readonly action: KeptAction }[];
  /** Set where the recipient is refused. */
  readonly rejection: string | undefined;
  readonly steps: readonly Step[];
}

/** Actions that something is done for. */
export type KeptAction = Exclude<RouteAction, { readonly type: 'reject' | 'drop' }>;

/** What became of one route. Routes behind the last step were not looked at. */
export interface Step {
  readonly routeId: string;
  readonly result: 'matched' | 'other_recipient' | 'header_differs' | 'disabled';
}

/** What is known before the content has come: some routes depend on the header. */
export interface Forecast {
  /** Refused or dropped for certain, whatever the header is. */
  readonly rejection: string | undefined;
  readonly isDropped: boolean;
  /** `email.received` is certain. */
  readonly announces: boolean;
  /** Something beside the event is to be done, or is known only with the header. */
  readonly acts: boolean;
}

const byDefault = { routeId: null, action: { type: 'webhook' } } as const;

/**
 * The routes in order, up to the first that matches and does not go on. Where none matches, the event `email.received` follows.
 *
 * A refusal counts only where nothing has happened before it; behind another action it means: nothing more.
 */
export function evaluate(routes: readonly Route[], address: string, header: readonly HeaderValue[]): Verdict {
  const steps: Step[] = [];
  const actions: { routeId: string; action: KeptAction }[] = [];
  for (const route of routes) {
    const result = resultOf(route, address, header);
    steps.push({ routeId: route.id, result });
    if (result !== 'matched') continue;
    const { action } = route;
    if (action.type === 'reject') {
      return { actions, steps, rejection: actions.length === 0 ? action.text : undefined };
    }
    if (action.type === 'drop') return { actions, steps, rejection: undefined };
    actions.push({ routeId: route.id, action });
    if (!route.goesOn) return { actions, steps, rejection: undefined };
  }
  return { actions: actions.length === 0 ? [byDefault] : actions, steps, rejection: undefined };
}

/** What is certain at RCPT, where only the address is known. */
export function forecast(routes: readonly Route[], address: string): Forecast {
  const certain: KeptAction[] = [];
  let mayDiffer = false;
  for (const { enabled, recipient, conditions, action, goesOn } of routes) {
    if (!enabled || !matchesAddress(recipient, address)) continue;
    if (conditions.length > 0) {
      mayDiffer = true;
      continue;
    }
    const isFirst = certain.length === 0 && !mayDiffer;
    if (action.type === 'reject') return ended(certain, mayDiffer, isFirst ? action.text : undefined);
    if (action.type === 'drop') return ended(certain, mayDiffer);
    certain.push(action);
    if (!goesOn) return ended(certain, mayDiffer);
  }
  return ended(certain.length === 0 ? [byDefault.action] : certain, mayDiffer);
}

/** With a route that depends on the header nothing is certain: what it does may end the list before the rest. */
function ended(certain: readonly KeptAction[], mayDiffer: boolean, rejection?: string): Forecast {
  const announces = !mayDiffer && certain.some(({ type }) => type === 'webhook');
  const acts = mayDiffer || certain.some(({ type }) => type !== 'webhook');
  return { rejection, isDropped: rejection === undefined && !mayDiffer && certain.length === 0, announces, acts };
}

function resultOf(route: Route, address: string, header: readonly HeaderValue[]): Step['result'] {
  if (!route.enabled) return 'disabled';
  if (!matchesAddress(route.recipient, address)) return 'other_recipient';
  return route.conditions.every((condition) => holds(condition, header)) ? 'matched' : 'header_differs';
}
