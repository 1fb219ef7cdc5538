import { Injectable } from '@nestjs/common';
import { Clock, NotFoundError, Page, PageRequest, WorkSignal } from '#kernel';
import { LoggedMessage, MessageAttempt } from '../domain/webhook-message.js';
import { CallEndpoint } from './call-endpoint.use-case.js';
import { MessageLog, ReplayFilter } from './ports/message-log.port.js';
import { StoredEvents, webhookWork } from './ports/message-queue.port.js';
import { Webhooks } from './webhooks.use-case.js';

/** Messages examined in one transaction. */
const batchSize = 1_000;
/** Maximum number of transactions of one request. The client continues with the cursor in the response. */
const maxBatches = 50;

interface Replayed {
  readonly replayed: number;
  /** Id of the last message examined, if there are more. */
  readonly next: string | undefined;
}

/** The messages of an endpoint: reads them, and sends them again. */
@Injectable()
export class WebhookMessages {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly log: MessageLog,
    private readonly events: StoredEvents,
    private readonly caller: CallEndpoint,
    private readonly signal: WorkSignal,
    private readonly clock: Clock,
  ) {}

  async list(teamId: string, webhookId: string, page: PageRequest): Promise<Page<LoggedMessage>> {
    await this.webhooks.find(teamId, webhookId);
    return this.log.list(webhookId, page);
  }

  async find(teamId: string, webhookId: string, id: string): Promise<LoggedMessage> {
    await this.webhooks.find(teamId, webhookId);
    const message = await this.log.find(webhookId, id);
    if (message === undefined) throw new NotFoundError('Webhook event');
    return message;
  }

  /**
   * The payload as it is sent; undefined if the event is no longer stored, or not sent in the format of the endpoint. A
   * signature in it is made with no secret: readers could pass calls of their own off as ours.
   */
  async payloadOf(teamId: string, message: LoggedMessage): Promise<string | undefined> {
    const [event] = await this.events.load([message.source]);
    if (event === undefined) return undefined;
    const secrets = { current: '', previous: undefined };
    const endpoint = { ...(await this.webhooks.find(teamId, message.webhookId)), secrets };
    return this.caller.requestOf(message, event, endpoint, this.clock.now())?.body;
  }

  async attempts(teamId: string, webhookId: string, id: string, page: PageRequest): Promise<Page<MessageAttempt>> {
    const message = await this.find(teamId, webhookId, id);
    return this.log.attempts(message.id, page);
  }

  /** Sends a message again, under the same id and with the same bytes. */
  async replay(teamId: string, webhookId: string, id: string): Promise<void> {
    await this.webhooks.find(teamId, webhookId);
    if (!(await this.log.replay(webhookId, id, this.clock.now()))) throw new NotFoundError('Webhook event');
    await this.signal.tell(webhookWork, webhookId);
  }

  /** Sends all messages again that match the filter, oldest first. */
  async replayAll(
    teamId: string,
    webhookId: string,
    filter: ReplayFilter,
    after: string | undefined,
  ): Promise<Replayed> {
    await this.webhooks.find(teamId, webhookId);
    // All get the same due time, because messages with equal due times are sent in the order of the events.
    const now = this.clock.now();
    let replayed = 0;
    let next = after;
    for (let batch = 0; batch < maxBatches; batch++) {
      const done = await this.log.replayBatch(webhookId, filter, next, batchSize, now);
      replayed += done.replayed;
      next = done.last;
      if (next === undefined) break;
    }
    if (replayed > 0) await this.signal.tell(webhookWork, webhookId);
    return { replayed, next };
  }
}
