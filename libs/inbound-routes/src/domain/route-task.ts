import type { ReceivedEmail } from '#inbound';
import { evaluate, KeptAction } from './evaluate.js';
import { HeaderValue } from './header-condition.js';
import { Route } from './route.js';

/** One thing to do for a message. The key is the same on every run, and for no other thing to do. */
export interface Task {
  readonly key: string;
  readonly routeId: string | null;
  readonly recipient: string;
  readonly action: 'webhook' | 'forward' | 'smtp' | 'lmtp';
  readonly target: string;
  readonly host?: { readonly host: string; readonly port: number };
}

/** How a task ended. */
export interface Ended {
  readonly outcome: 'done' | 'refused' | 'loop' | 'not_possible';
  readonly detail?: string;
  readonly emailId?: string;
}

/** It is to be tried again, for this reason, and not before `afterMs` have passed. */
export type Later = { readonly later: string; readonly afterMs?: number };

/** The tasks of all recipients, each once. The event is left out where it was written with the email: `isAnnounced`. */
export function tasksOf(
  email: ReceivedEmail,
  routes: readonly Route[],
  header: readonly HeaderValue[],
  isAnnounced: boolean,
): readonly Task[] {
  const tasks = new Map<string, Task>();
  for (const recipient of email.recipients) {
    for (const { routeId, action } of evaluate(routes, recipient, header).actions) {
      for (const task of tasksOfAction(action, routeId, recipient)) {
        if (task.action === 'webhook' && isAnnounced) continue;
        if (!tasks.has(task.key)) tasks.set(task.key, task);
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
        ...{ key: `forward ${target.toLowerCase()}`, routeId, recipient, action: 'forward', target },
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
