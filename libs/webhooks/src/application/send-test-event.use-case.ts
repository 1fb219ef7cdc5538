import { Injectable } from '@nestjs/common';
import { changeCount, Clock, DomainError, found, ValidationError, WorkSignal } from '#kernel';
import { CallResult } from '../domain/webhook-message.js';
import { CallEndpoint } from './call-endpoint.use-case.js';
import { SettleCalls } from './drain-endpoint.use-case.js';
import { MessageLog } from './ports/message-log.port.js';
import { webhookWork } from './ports/message-queue.port.js';
import { WebhookRepository } from './ports/webhook-repository.port.js';

export class DisabledWebhookError extends ValidationError {
  constructor() {
    super('The webhook is disabled. Enable it first.');
  }
}

export class TooManyTestsError extends DomainError {
  constructor() {
    super('limited', 'rate_limit_exceeded', 'Too many test events are being sent at once. Please try again.');
  }
}

/** Test events that one process sends for a team at the same time: each holds a connection while a slow endpoint answers. */
const maxTestsPerTeam = 3;

/** Longer than a call can last: after it a worker sends the event of a process that died. */
const leftToCallerMs = 30_000;

/** Sends a test event at once, whatever waits in the queue. It is signed, logged and tried again like other messages. */
@Injectable()
export class SendTestEvent {
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly log: MessageLog,
    private readonly caller: CallEndpoint,
    private readonly calls: SettleCalls,
    private readonly signal: WorkSignal,
    private readonly clock: Clock,
  ) {}

  async send(teamId: string, webhookId: string): Promise<{ id: string; result: CallResult }> {
    if ((this.underWay.get(teamId) ?? 0) >= maxTestsPerTeam) throw new TooManyTestsError();
    changeCount(this.underWay, teamId, 1);
    try {
      return await this.sendNow(teamId, webhookId);
    } finally {
      changeCount(this.underWay, teamId, -1);
    }
  }

  private async sendNow(teamId: string, webhookId: string): Promise<{ id: string; result: CallResult }> {
    const sentAt = this.clock.now();
    const webhook = found('Webhook', await this.webhooks.find(teamId, webhookId));
    if (webhook.status === 'disabled') throw new DisabledWebhookError();
    const secrets = found('Webhook', await this.webhooks.secretsOf(teamId, webhookId, sentAt));
    const dueAt = new Date(sentAt.getTime() + leftToCallerMs);
    const { message, event } = await this.log.addTest(teamId, webhookId, sentAt, dueAt);
    const ended = await this.caller.call({ message, event, endpoint: { ...webhook, secrets }, sentAt });
    if (ended === undefined) throw new Error('A call that is always wanted was withdrawn');
    await this.calls.settle({ message, sentAt, ...ended });
    // A success shows that the endpoint is up again: what waits for it may go.
    await this.signal.tell(webhookWork, webhookId);
    return { id: message.id, result: ended.result };
  }
}
