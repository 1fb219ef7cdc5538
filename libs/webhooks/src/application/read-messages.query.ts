import { NotFoundError, Page, PageRequest } from '#kernel';
import { Injectable } from '@nestjs/common';
import { payloadOf } from '../domain/payload.js';
import { LoggedMessage, MessageAttempt } from '../domain/webhook-message.js';
import { ManageWebhooks } from './manage-webhooks.use-case.js';
import { MessageLog } from './ports/message-log.port.js';
import { StoredEvents } from './ports/stored-events.port.js';

/** Reads the messages of an endpoint, their payloads and their attempts. */
@Injectable()
export class ReadMessages {
  constructor(
    private readonly webhooks: ManageWebhooks,
    private readonly log: MessageLog,
    private readonly events: StoredEvents,
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

  /** The payload as it is sent; undefined if the event is no longer stored. */
  async payloadOf(message: LoggedMessage): Promise<string | undefined> {
    const [event] = await this.events.load([message.source]);
    return event === undefined ? undefined : payloadOf(message, event);
  }

  async attempts(teamId: string, webhookId: string, id: string, page: PageRequest): Promise<Page<MessageAttempt>> {
    const message = await this.find(teamId, webhookId, id);
    return this.log.attempts(message.id, page);
  }
}
