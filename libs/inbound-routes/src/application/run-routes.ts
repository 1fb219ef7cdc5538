import { ReceivedEmails, ReceivedMailActions } from '#inbound';
import type { ActionOutcome, ReceivedEmail } from '#inbound';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { loopOf } from '../domain/forwarding.js';
import { Ended, Later, Task, tasksOf } from '../domain/route-task.js';
import { RouteActors } from './route-actors.js';
import { LoadedMessage, MessageSources } from './ports/message-sources.port.js';
import { RouteRepository } from './ports/route-repository.port.js';
import { RouteResults } from './ports/route-results.port.js';

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

  async run(email: ReceivedEmail, isAnnounced: boolean): Promise<ActionOutcome> {
    const routes = await this.routes.inOrder(email.teamId);
    const message = await this.sources.load(email);
    try {
      const tasks = tasksOf(email, routes, message.header, isAnnounced);
      const done = await this.results.doneAmong(
        email.id,
        tasks.map(({ key }) => key),
      );
      const reasons: Later[] = [];
      for (const task of tasks.filter(({ key }) => !done.has(key))) {
        const end = await this.do(task, email, message);
        if ('later' in end) reasons.push(end);
        else await this.record(task, email, end);
      }
      return outcomeOf(reasons);
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
        return this.actors.handOver(task, email, message, (end) => this.record(task, email, end));
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

function outcomeOf(reasons: readonly Later[]): ActionOutcome {
  if (reasons.length === 0) return { kind: 'done' };
  const reason = reasons.map(({ later }) => later).join('; ');
  const afterMs = Math.max(...reasons.map((each) => each.afterMs ?? 0));
  return { kind: 'later', reason: reason.slice(0, 1_000), ...(afterMs > 0 && { afterMs }) };
}
