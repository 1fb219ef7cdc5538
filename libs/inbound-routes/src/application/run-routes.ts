import { ReceivedEmails, ReceivedMailActions } from '#inbound';
import type { ActionOutcome, ReceivedEmail } from '#inbound';
import { Clock, DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { evaluate, forecast, KeptAction } from '../domain/evaluate.js';
import { loopOf } from '../domain/forwarding.js';
import { HeaderValue } from '../domain/header-condition.js';
import { Route } from '../domain/route.js';
import { ForwardReceived } from './forward-received.js';
import { HandOvers } from './hand-overs.js';
import { LoadedMessage, MessageSources } from './ports/message-sources.port.js';
import { RouteRepository } from './ports/route-repository.port.js';
import { RouteResult, RouteResults } from './ports/route-results.port.js';

/** One thing to do for a message. The key is the same on every run, and for no other thing to do. */
interface Task {
  readonly key: string;
  readonly routeId: string | null;
  readonly recipient: string;
  readonly action: 'webhook' | 'forward' | 'smtp' | 'lmtp';
  readonly target: string;
  readonly host?: { readonly host: string; readonly port: number };
}

type Ended = Pick<RouteResult, 'outcome'> & { readonly detail?: string; readonly emailId?: string };
type Later = { readonly later: string };

/** Does what the routes say for a received message. Runs again do only what is still to be done. */
@Injectable()
export class RunRoutes extends ReceivedMailActions {
  constructor(
    private readonly routes: RouteRepository,
    private readonly sources: MessageSources,
    private readonly results: RouteResults,
    private readonly received: ReceivedEmails,
    private readonly actors: RouteActors,
    private readonly clock: Clock,
  ) {
    super();
  }

  async run(email: ReceivedEmail): Promise<ActionOutcome> {
    const [routes, known] = await Promise.all([this.routes.inOrder(email.teamId), this.results.of(email.id)]);
    const done = new Set(known.map(({ key }) => key));
    const message = await this.sources.load(email);
    try {
      const tasks = tasksOf(email, routes, message.header).filter(({ key }) => !done.has(key));
      const reasons: string[] = [];
      for (const task of tasks) {
        const end = await this.do(task, email, message);
        if ('later' in end) reasons.push(end.later);
        else await this.record(task, email, end);
      }
      return reasons.length === 0 ? { kind: 'done' } : { kind: 'later', reason: reasons.join('; ').slice(0, 1_000) };
    } finally {
      message.release();
    }
  }

  private async do(task: Task, email: ReceivedEmail, message: LoadedMessage): Promise<Ended | Later> {
    const loop = task.action === 'webhook' ? undefined : loopOf(message.header, task.recipient);
    if (loop !== undefined) return { outcome: 'loop', detail: loop };
    switch (task.action) {
      case 'webhook':
        await this.received.announce(email);
        return { outcome: 'done' };
      case 'forward':
        return this.actors.forward(task, email, message);
      case 'smtp':
      case 'lmtp':
        return this.actors.handOver(task, email, message);
    }
  }

  private record(task: Task, { id, teamId }: ReceivedEmail, end: Ended): Promise<void> {
    const { key, routeId, action, target } = task;
    const { outcome, detail = null, emailId = null } = end;
    const createdAt = this.clock.now();
    return this.results.add({
      receivedId: id,
      teamId,
      key,
      routeId,
      action,
      target,
      outcome,
      detail,
      emailId,
      createdAt,
    });
  }
}

/** The two ways in which a message leaves. */
@Injectable()
export class RouteActors {
  constructor(
    private readonly forwardReceived: ForwardReceived,
    private readonly handOvers: HandOvers,
  ) {}

  async forward({ recipient, target }: Task, email: ReceivedEmail, message: LoadedMessage): Promise<Ended | Later> {
    try {
      return { outcome: 'done', emailId: await this.forwardReceived.execute({ email, message, recipient, target }) };
    } catch (error) {
      if (error instanceof DomainError) return { later: `Not forwarded to ${target}: ${error.message}` };
      throw error;
    }
  }

  /** Holds the message until the delivery has ended, which may take longer than the run. */
  async handOver(
    { key, action, host, recipient }: Task,
    email: ReceivedEmail,
    message: LoadedMessage,
  ): Promise<Ended | Later> {
    if (host === undefined || action === 'forward' || action === 'webhook') return { outcome: 'not_possible' };
    message.hold();
    const content = (async function* () {
      yield new TextEncoder().encode(`Delivered-To: ${recipient}\r\n`);
      yield message.trace;
      yield message.content;
    })();
    const request = { protocol: action, ...host, mailFrom: email.mailFrom, recipient, content };
    const state = await this.handOvers.deliver(email, `${email.id} ${key}`, request, () => message.release());
    switch (state.kind) {
      case 'delivered':
        return { outcome: 'done', detail: state.detail };
      case 'refused':
        return { outcome: 'refused', detail: state.detail };
      case 'failed':
        return { later: `${host.host}: ${state.detail}` };
      case 'under_way':
      case 'busy':
        return { later: `${host.host}: the delivery is ${state.kind === 'busy' ? 'waiting' : 'under way'}` };
    }
  }
}

/** The tasks of all recipients, each once. The event is left out where it was written with the email. */
function tasksOf(email: ReceivedEmail, routes: readonly Route[], header: readonly HeaderValue[]): readonly Task[] {
  const tasks = new Map<string, Task>();
  const isAnnounced = email.recipients.some((recipient) => {
    const { announces, acts } = forecast(routes, recipient);
    return announces && !acts;
  });
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
