import { newId, Page, PageRequest, WorkSignal } from '#kernel';
import { InMemoryRows } from './in-memory-rows.js';
import { Webhooks } from '../../../libs/webhooks/src/application/webhooks.use-case.js';
import {
  MessageLog,
  ReplayedBatch,
  ReplayFilter,
  TestMessage,
} from '../../../libs/webhooks/src/application/ports/message-log.port.js';
import { StoredEvents } from '../../../libs/webhooks/src/application/ports/message-queue.port.js';
import { StoredEvent } from '../../../libs/webhooks/src/domain/payload.js';
import { EventSource, LoggedMessage, MessageAttempt } from '../../../libs/webhooks/src/domain/webhook-message.js';
import { InMemoryWebhookRepository } from './in-memory-webhooks.js';
import { FakeClock } from './fake-clock.js';

class KeptMessages extends MessageLog {
  readonly rows = new InMemoryRows<LoggedMessage>();
  readonly attemptRows = new InMemoryRows<MessageAttempt & { readonly messageId: string }>();

  async list(webhookId: string, page: PageRequest): Promise<Page<LoggedMessage>> {
    return this.rows.page(page, (message) => message.webhookId === webhookId);
  }

  async find(webhookId: string, id: string): Promise<LoggedMessage | undefined> {
    const message = this.rows.get(id);
    return message?.webhookId === webhookId ? message : undefined;
  }

  async attempts(messageId: string, page: PageRequest): Promise<Page<MessageAttempt>> {
    return this.attemptRows.page(page, (attempt) => attempt.messageId === messageId);
  }

  async addTest(_teamId: string, webhookId: string, createdAt: Date, nextAttemptAt: Date): Promise<TestMessage> {
    const id = newId();
    const source = { id: newId(), seq: null };
    const type = 'webhook.test' as LoggedMessage['type'];
    this.rows.set({ id, webhookId, type, source, createdAt, status: 'pending', nextAttemptAt });
    return {
      message: { id, webhookId, type, source, createdAt, attempt: 0, round: 0 },
      event: { kind: 'team', data: '{}' },
    };
  }

  async replay(webhookId: string, id: string, now: Date): Promise<boolean> {
    const message = await this.find(webhookId, id);
    if (message !== undefined) this.rows.set({ ...message, status: 'pending', nextAttemptAt: now });
    return message !== undefined;
  }

  async replayBatch(
    webhookId: string,
    { statuses }: ReplayFilter,
    after: string | undefined,
    limit: number,
    now: Date,
  ): Promise<ReplayedBatch> {
    const behind = this.rows.where((row) => row.webhookId === webhookId && (after === undefined || row.id > after));
    const looked = behind.slice(0, limit);
    const chosen = looked.filter(({ status }) => statuses.includes(status));
    for (const { id } of chosen) await this.replay(webhookId, id, now);
    return { replayed: chosen.length, last: behind.length > limit ? looked.at(-1)?.id : undefined };
  }
}

class KeptEvents extends StoredEvents {
  readonly byId = new Map<string, StoredEvent>();

  async load(sources: readonly EventSource[]): Promise<readonly (StoredEvent | undefined)[]> {
    return sources.map(({ id }) => this.byId.get(id));
  }

  loadSmall(sources: readonly EventSource[]): ReturnType<StoredEvents['load']> {
    return this.load(sources);
  }
}

/** The endpoints of a team and the messages to them, in memory. */
export class InMemoryMessages {
  readonly teamId = newId();
  readonly clock = new FakeClock();
  readonly woken: string[] = [];
  readonly signal: WorkSignal = { tell: async (_topic, id) => void this.woken.push(id) };
  readonly log = new KeptMessages();
  readonly events = new KeptEvents();
  readonly repository = new InMemoryWebhookRepository();
  readonly webhooks = new Webhooks(
    this.repository,
    { allowPrivate: true, allowsAddress: () => true },
    this.signal,
    this.clock,
  );

  async endpoint(): Promise<string> {
    const { id } = await this.webhooks.create(this.teamId, { endpoint: 'https://hooks.test/', events: ['email.sent'] });
    return id;
  }

  /** A message of a stored event. */
  add(webhookId: string, fields: Partial<LoggedMessage> = {}): LoggedMessage {
    const source = { id: newId(), seq: null };
    const message: LoggedMessage = {
      id: newId(),
      webhookId,
      type: 'suppression.added',
      source,
      createdAt: this.clock.now(),
      status: 'failed',
      nextAttemptAt: null,
      ...fields,
    };
    this.log.rows.set(message);
    this.events.byId.set(source.id, { kind: 'team', data: '{"id":1}' });
    return message;
  }
}
