import { ConcurrentIdempotentRequestsError } from '#idempotency';
import { ReceivedEmails, ReceivedMailActions, RecipientRouting } from '#inbound';
import type { ActionOutcome, ReceivedEmail, RecipientDecision, RecipientQuestion } from '#inbound';
import { InboxAddresses } from '#inboxes';
import { Clock, DomainError, UnitOfWork } from '#kernel';
import { Injectable } from '@nestjs/common';
import { forecast, Ended, Later, mayTake, Task, tasksOf } from '../domain/evaluate.js';
import { deliveredTo, joined, loopOf } from '../domain/forwarding.js';
import { ForwardReceived, HandOvers } from './pass-on.js';
import {
  LoadedMessage,
  maxHandOverMs,
  MessageWaitsForMemoryError,
  RoutedMessages,
} from './ports/routed-messages.port.js';
import { RouteRepository } from './ports/route-repository.port.js';
import { RouteResult, RouteResults } from './ports/route-results.port.js';

/** Other messages wait for the place of a run. The rest of a message with many tasks is done by the next one. */
const maxRunMs = 5_000;
const hourMs = 3_600_000;
/** Two copies of a message may reach one target at the same time: the second one looks again after this time. */
const underWayMs = 1_000;
/** A message that found no memory looks for it again after this time. */
const noMemoryMs = 5_000;
/** Of one team. Routes that multiply a message end here; beyond it, messages wait. */
export const maxForwardsPerHour = 10_000;

/** Decides on recipients by the routes of their team, at RCPT. */
@Injectable()
export class RouteRecipients extends RecipientRouting {
  constructor(
    private readonly routes: RouteRepository,
    private readonly inboxes: InboxAddresses,
  ) {
    super();
  }

  async decide({ teamId, recipient }: RecipientQuestion): Promise<RecipientDecision> {
    const [routes, followed] = await Promise.all([this.routes.inOrder(teamId), this.routes.followed(teamId)]);
    const { rejection, isDropped, announces, acts } = forecast(routes, recipient);
    const isFollowed = followed.size > 0 && routes.some((route) => followed.has(route.id) && mayTake(route, recipient));
    if ((rejection !== undefined || isDropped) && (await this.inboxes.has(teamId, recipient))) {
      return { kind: 'accept', announce: true, act: acts || isFollowed };
    }
    if (rejection !== undefined) return { kind: 'reject', text: rejection };
    if (isDropped) return { kind: 'discard' };
    // If something is to be done later, the event is written then, once.
    return { kind: 'accept', announce: announces && !acts, act: acts || isFollowed };
  }
}

/**
 * Does what the routes say for a received message, after its commit. The routes and the message give tasks; each ends
 * in one of these ways, and its end is written down, so that a run does only what is still to be done:
 *
 *     webhook      `email.received` is announced, in one transaction with the record of it
 *     automation   automations begin with the record of it
 *     forward      an email to the target waits for delivery (`ForwardReceived`)
 *     smtp, lmtp   a host of the team has the message, or has refused it (`HandOvers`)
 *
 * A task that cannot end now says why, and the message comes again later.
 */
@Injectable()
export class RunRoutes extends ReceivedMailActions {
  // oxlint-disable-next-line max-params -- One story: what the ways out of the program need.
  constructor(
    private readonly routes: RouteRepository,
    private readonly messages: RoutedMessages,
    private readonly results: RouteResults,
    private readonly forwardReceived: ForwardReceived,
    private readonly handOvers: HandOvers,
    private readonly received: ReceivedEmails,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
  }

  async run(email: ReceivedEmail, isAnnounced: boolean): Promise<ActionOutcome> {
    const [routes, followed] = await Promise.all([
      this.routes.inOrder(email.teamId),
      this.routes.followed(email.teamId),
    ]);
    const message = await this.loaded(email);
    if ('later' in message) return outcomeOf([message]);
    try {
      const conditions = routes.flatMap((route) => (route.enabled ? route.conditions : []));
      const holding = await this.messages.holding(email.teamId, conditions, message.header);
      const reasons: Later[] = [];
      const started = performance.now();
      let ended = 0;
      for (const task of await this.openAmong(tasksOf(email, routes, holding, isAnnounced, followed), email)) {
        // Each run ends a task at least, so that tasks that fail do not keep the ones behind them from their turn.
        if (ended > 0 && performance.now() - started > maxRunMs) return { kind: 'more' };
        const later = await this.do(task, email, message);
        if (later === undefined) ended++;
        else reasons.push(later);
      }
      return outcomeOf(reasons);
    } finally {
      message.release();
    }
  }

  private async loaded(email: ReceivedEmail): Promise<LoadedMessage | Later> {
    try {
      return await this.messages.load(email);
    } catch (error) {
      if (!(error instanceof MessageWaitsForMemoryError)) throw error;
      return { later: error.message, afterMs: noMemoryMs };
    }
  }

  /** The tasks that have not ended. */
  private async openAmong(tasks: readonly Task[], { id }: ReceivedEmail): Promise<readonly Task[]> {
    const done = await this.results.doneAmong(
      id,
      tasks.map(({ key }) => key),
    );
    return tasks.filter(({ key }) => !done.has(key));
  }

  /** Undefined if the task has ended. */
  private async do(task: Task, email: ReceivedEmail, message: LoadedMessage): Promise<Later | undefined> {
    if (task.action === 'webhook') {
      await this.announce(task, email);
      return undefined;
    }
    if (task.action === 'automation') {
      // The record of it is the event with which they begin.
      await this.record(task, email, { outcome: 'done' });
      return undefined;
    }
    const end = await this.passOn(task, email, message);
    if ('later' in end) return end;
    await this.record(task, email, end);
    return undefined;
  }

  /** The event and its record commit together: a process that dies announces an email once or not at all. */
  private announce(task: Task, email: ReceivedEmail): Promise<void> {
    return this.unitOfWork.run(async (transaction) => {
      const isFirst = await this.results.add(this.resultOf(task, email, { outcome: 'done' }), transaction);
      if (isFirst) await this.received.announce(email, transaction);
    });
  }

  private async passOn(task: Task, email: ReceivedEmail, message: LoadedMessage): Promise<Ended | Later> {
    const target = task.action === 'forward' ? task.target : undefined;
    const loop = loopOf(email, message.header, task.recipient, target);
    if (loop !== undefined) return { outcome: 'loop', detail: loop };
    return task.action === 'forward' ? this.forward(task, email, message) : this.handOver(task, email, message);
  }

  private async forward(
    { recipient, target }: Task,
    email: ReceivedEmail,
    message: LoadedMessage,
  ): Promise<Ended | Later> {
    const since = new Date(this.clock.now().getTime() - hourMs);
    if ((await this.results.forwardsSince(email.teamId, since, maxForwardsPerHour)) >= maxForwardsPerHour) {
      return { later: `Not forwarded to ${target}: the team has forwarded ${maxForwardsPerHour} messages in an hour` };
    }
    try {
      return { outcome: 'done', emailId: await this.forwardReceived.forward({ email, message, recipient, target }) };
    } catch (error) {
      if (error instanceof ConcurrentIdempotentRequestsError) {
        return { later: `${target}: the same message is being forwarded`, afterMs: underWayMs };
      }
      if (error instanceof DomainError) return { later: `Not forwarded to ${target}: ${error.message}` };
      throw error;
    }
  }

  /** Holds the message until the delivery has ended, which may take longer than the run. Its end is recorded then. */
  private async handOver(task: Task, email: ReceivedEmail, message: LoadedMessage): Promise<Ended | Later> {
    const { key, action, host, recipient } = task;
    if (host === undefined || (action !== 'smtp' && action !== 'lmtp')) return { outcome: 'not_possible' };
    const added = joined([deliveredTo(recipient), message.trace]);
    const request = {
      ...host,
      protocol: action,
      mailFrom: email.mailFrom,
      recipient,
      added,
      stuffed: message.stuffed,
    };
    let release: (() => void) | undefined;
    const state = await this.handOvers.deliver(email, `${email.id} ${key}`, request, {
      begins: () => (release = message.holdForHost()) !== undefined,
      ended: () => release?.(),
      settledLate: ({ kind, detail }) =>
        this.record(task, email, { outcome: kind === 'delivered' ? 'done' : 'refused', detail }),
    });
    switch (state.kind) {
      case 'delivered':
        return { outcome: 'done', detail: state.detail };
      case 'refused':
        return { outcome: 'refused', detail: state.detail };
      case 'failed':
        return { later: `${host.host}: ${state.detail}` };
      case 'under_way':
        return { later: `${host.host}: the delivery is under way`, afterMs: maxHandOverMs };
      case 'busy':
        return { later: `${host.host}: the delivery is waiting` };
    }
  }

  private async record(task: Task, email: ReceivedEmail, end: Ended): Promise<void> {
    await this.results.add(this.resultOf(task, email, end));
  }

  private resultOf({ key, routeId, action, target }: Task, { id, teamId }: ReceivedEmail, end: Ended): RouteResult {
    return {
      receivedId: id,
      teamId,
      key,
      routeId,
      action,
      target,
      outcome: end.outcome,
      detail: end.detail ?? null,
      emailId: end.emailId ?? null,
      createdAt: this.clock.now(),
    };
  }
}

function outcomeOf(reasons: readonly Later[]): ActionOutcome {
  if (reasons.length === 0) return { kind: 'done' };
  const reason = reasons
    .map(({ later }) => later)
    .join('; ')
    .slice(0, 1_000);
  const afterMs = Math.max(...reasons.map((each) => each.afterMs ?? 0));
  if (reasons.every((each) => each.afterMs !== undefined)) return { kind: 'waiting', reason, afterMs };
  return { kind: 'later', reason, ...(afterMs > 0 && { afterMs }) };
}
