import { matchesAddress } from './address-pattern.js';
import { HeaderCondition } from './header-condition.js';
import { Route, RouteAction } from './route.js';
import type { ReceivedEmail } from '#inbound';

/** What happens to a message for one recipient. */
export interface RouteVerdict {
  /** In the order in which the routes say so. Empty if it is dropped. */
  readonly actions: readonly { readonly routeId: string | null; readonly action: KeptAction }[];
  /** Set if the recipient is refused. */
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
 * The routes in order, up to the first that matches and does not go on. If none matches, the event `email.received`
 * follows.
 *
 * `holding`: the conditions of these routes that hold for the message. A refusal counts only if nothing has happened
 * before it; behind another action it means: nothing more.
 */
export function evaluate(
  routes: readonly Route[],
  address: string,
  holding: ReadonlySet<HeaderCondition>,
): RouteVerdict {
  const steps: Step[] = [];
  const actions: { routeId: string; action: KeptAction }[] = [];
  for (const route of routes) {
    const result = resultOf(route, address, holding);
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
  for (const route of routes) {
    if (!mayTake(route, address)) continue;
    const { conditions, action, goesOn } = route;
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

/** Whether a route takes mail for an address, whatever the header is. */
export function mayTake({ enabled, recipient }: Route, address: string): boolean {
  return enabled && matchesAddress(recipient, address);
}

/** With a route that depends on the header nothing is certain: what it does may end the list before the rest. */
function ended(certain: readonly KeptAction[], mayDiffer: boolean, rejection?: string): Forecast {
  const announces = !mayDiffer && certain.some(({ type }) => type === 'webhook');
  const acts = mayDiffer || certain.some(({ type }) => type !== 'webhook');
  return { rejection, isDropped: rejection === undefined && !mayDiffer && certain.length === 0, announces, acts };
}

function resultOf(route: Route, address: string, holding: ReadonlySet<HeaderCondition>): Step['result'] {
  if (!route.enabled) return 'disabled';
  if (!matchesAddress(route.recipient, address)) return 'other_recipient';
  return route.conditions.every((condition) => holding.has(condition)) ? 'matched' : 'header_differs';
}

/** One thing to do for a message. The key is the same on every run, and for no other thing to do. */
export interface Task {
  readonly key: string;
  readonly routeId: string | null;
  readonly recipient: string;
  readonly action: 'webhook' | 'forward' | 'smtp' | 'lmtp' | 'automation';
  readonly target: string;
  readonly host?: { readonly host: string; readonly port: number };
}

/** How a task ended. */
export interface Ended {
  readonly outcome: 'done' | 'refused' | 'loop' | 'not_possible';
  readonly detail?: string;
  readonly emailId?: string;
}

/** It is to be tried again, for this reason. With `afterMs`, nothing failed: it waits that long for what is under way. */
export type Later = { readonly later: string; readonly afterMs?: number };

/**
 * The tasks of all recipients, each once. The event is left out if it was written with the email: `isAnnounced`. Automations
 * begin with mail of the routes that are `followed`.
 */
export function tasksOf(
  email: ReceivedEmail,
  routes: readonly Route[],
  holding: ReadonlySet<HeaderCondition>,
  isAnnounced: boolean,
  followed: ReadonlySet<string> = new Set(),
): readonly Task[] {
  const tasks = new Map<string, Task>();
  const add = (task: Task): void => {
    if (!tasks.has(task.key)) tasks.set(task.key, task);
  };
  /** Routes whose tasks are the same for each recipient, and are known. */
  const known = new Set<string | null>();
  for (const recipient of email.recipients) {
    for (const { routeId, action } of evaluate(routes, recipient, holding).actions) {
      if (routeId !== null && followed.has(routeId)) {
        add({ key: `automation ${routeId}`, routeId, recipient, action: 'automation', target: 'automations' });
      }
      if (known.has(routeId)) continue;
      if (action.type === 'forward' || action.type === 'webhook') known.add(routeId);
      for (const task of tasksOfAction(action, routeId, recipient)) {
        if (task.action === 'webhook' && isAnnounced) continue;
        add(task);
      }
    }
  }
  return [...tasks.values()];
}

function tasksOfAction(action: KeptAction, routeId: string | null, recipient: string): readonly Task[] {
  switch (action.type) {
    case 'webhook':
      return [{ key: 'webhook', routeId, recipient, action: 'webhook', target: 'email.received' }];
    case 'forward':
      return action.to.map((target) => ({
        key: `forward ${target.toLowerCase()}`,
        routeId,
        recipient,
        action: 'forward',
        target,
      }));
    case 'smtp':
    case 'lmtp': {
      const { type, host, port } = action;
      const target = `${host}:${port}`;
      const key = `${type} ${target} ${recipient.toLowerCase()}`;
      return [{ key, routeId, recipient, action: type, target, host: { host, port } }];
    }
  }
}
