import { Clock, HeldCount, Slots } from '#kernel';
import { callableUrl } from '../domain/endpoint-url.js';
import { payloadOf, StoredEvent } from '../domain/payload.js';
import { CallResult, DueMessage } from '../domain/webhook-message.js';
import { publicMessageId } from '../domain/message-id.js';
import { CallLog } from './ports/call-log.port.js';
import { LaneEndpoint } from './ports/message-queue.port.js';
import { StoredEvents } from './ports/stored-events.port.js';
import { WebhookClient } from './ports/webhook-client.port.js';

/** Maximum number of calls under way to one endpoint at once. */
const maxCalls = 32;

const notStored: CallResult = { status: 0, response: 'The event is no longer stored', durationMs: 0 };

/** The messages of one lane that this process holds. They are sent concurrently, but those of one email in sequence. */
export class EndpointDrain {
  /** An error of this process, not of the endpoint: the worker must release the lane. */
  failure: Error | undefined;

  private readonly held = new Map<string, DueMessage>();
  private readonly count = new HeldCount();
  private readonly slots = new Slots(maxCalls);
  /** By email, the end of its last held message: the next message of that email waits for it. */
  private readonly tails = new Map<string, Promise<void>>();
  /** Messages whose call has not begun are dropped from memory and read from the queue again later. */
  private halted = false;
  private endpoint: LaneEndpoint | undefined;

  constructor(
    private readonly events: StoredEvents,
    private readonly client: WebhookClient,
    private readonly log: CallLog,
    private readonly clock: Clock,
  ) {}

  get messageIds(): readonly string[] {
    return [...this.held.keys()];
  }

  get isHalted(): boolean {
    return this.halted;
  }

  /** Starts no further call, because the endpoint must not be called any more, or not by this worker. */
  halt(): void {
    this.halted = true;
  }

  hasAtMost(limit: number): Promise<void> {
    return this.count.atMost(limit);
  }

  ended(): Promise<void> {
    return this.count.atMost(0);
  }

  /** Resolves when the events are loaded; the calls continue. Messages already held use the new `endpoint` as well. */
  async add(endpoint: LaneEndpoint, messages: readonly DueMessage[]): Promise<void> {
    this.endpoint = endpoint;
    if (messages.length === 0) return;
    if (this.held.size === 0) this.halted = false;
    const events = await this.events.load(messages.map(({ source }) => source));
    messages.forEach((message, position) => this.start(message, events[position]));
  }

  private start(message: DueMessage, event: StoredEvent | undefined): void {
    this.held.set(message.id, message);
    this.count.add(1);
    const before = this.tails.get(message.source.id) ?? Promise.resolve();
    const end = before
      .then(() => this.send(message, event))
      .catch((error: unknown) => {
        this.failure ??= error instanceof Error ? error : new Error(String(error));
        this.halted = true;
      })
      .finally(() => {
        if (this.tails.get(message.source.id) === end) this.tails.delete(message.source.id);
        this.held.delete(message.id);
        this.count.remove(1);
      });
    this.tails.set(message.source.id, end);
  }

  private async send(message: DueMessage, event: StoredEvent | undefined): Promise<void> {
    if (event === undefined) {
      await this.log.record({ message, sentAt: this.clock.now(), result: notStored, notCalled: true });
      return;
    }
    await this.slots.take();
    let sentAt: Date;
    let result: CallResult | undefined;
    try {
      const { endpoint } = this;
      if (this.halted || endpoint === undefined) return;
      sentAt = this.clock.now();
      result = await this.client.call({
        webhookId: message.webhookId,
        url: callableUrl(endpoint.url),
        secrets: endpoint.secrets,
        messageId: publicMessageId(message.id),
        sentAt,
        body: payloadOf(message, event),
        isWanted: () => !this.halted,
      });
    } finally {
      this.slots.release();
    }
    if (result === undefined) return;
    if ((await this.log.record({ message, sentAt, result })) !== 'up') this.halted = true;
  }
}
