import { Clock, WakeUps } from '#kernel';
import { Injectable } from '@nestjs/common';
import { EndpointDrain } from './endpoint-drain.js';
import { CallLog } from './ports/call-log.port.js';
import { MessageQueue } from './ports/message-queue.port.js';
import { StoredEvents } from './ports/stored-events.port.js';
import { WebhookClient } from './ports/webhook-client.port.js';

/** Messages that a lane holds in memory at once. More are read when half of them are left. */
const maxHeld = 192;
/**
 * A lane without work polls after `firstLookMs`, then at growing intervals up to `maxLookMs`, and is released after `idleMs`.
 * It has to poll because the database sends no wake-up for a lane that a worker has.
 */
const firstLookMs = 25;
const maxLookMs = 200;
const idleMs = 1_000;
/** Maximum time for which messages are sent without a new look at the endpoint's row, if no wake-up comes. */
const maxUncheckedMs = 1_000;

/** Sends the due messages of one endpoint until none is left or the lane is told to stop. */
@Injectable()
export class DrainEndpoint {
  constructor(
    private readonly queue: MessageQueue,
    private readonly events: StoredEvents,
    private readonly client: WebhookClient,
    private readonly log: CallLog,
    private readonly clock: Clock,
  ) {}

  /** When it resolves or throws, no call of the lane is under way and the lane is released. */
  async execute(webhookId: string, workerId: string, wakeUps: WakeUps): Promise<void> {
    if (!(await this.queue.acquireLane(webhookId, workerId))) return;
    const drain = new EndpointDrain(this.events, this.client, this.log, this.clock);
    try {
      await this.drain(webhookId, workerId, wakeUps, drain);
    } finally {
      drain.halt();
      await drain.ended();
      await this.queue.releaseLane(webhookId, workerId);
    }
    if (drain.failure !== undefined) throw drain.failure;
  }

  private async drain(webhookId: string, workerId: string, wakeUps: WakeUps, drain: EndpointDrain): Promise<void> {
    let look = firstLookMs;
    let idleSince = performance.now();
    while (!wakeUps.stopping && drain.failure === undefined) {
      await this.waitForRoom(drain, wakeUps);
      const room = maxHeld - drain.messageIds.length;
      const work = await this.queue.work(webhookId, workerId, this.clock.now(), drain.messageIds, room);
      if (work === undefined) return;
      // The endpoint is down: one message at a time is sent as a probe. Between probes no worker has the lane.
      if (work.endpoint.probeAt !== null) {
        await drain.ended();
        if (work.due.length === 0) return;
      }
      await drain.add(work.endpoint, work.due);
      if (work.endpoint.probeAt !== null) await drain.ended();
      if (work.due.length > 0) {
        look = firstLookMs;
        idleSince = performance.now();
        if (work.due.length === room) continue;
      }
      const isNotified = await wakeUps.next(look);
      if (!isNotified) look = Math.min(look * 2, maxLookMs);
      if (drain.messageIds.length === 0 && performance.now() - idleSince > idleMs) return;
    }
  }

  /**
   * Waits until the lane holds few enough messages to read more. A wake-up ends the wait early: it may mean that the
   * endpoint was changed or disabled, and that must not wait for slow calls.
   */
  private async waitForRoom(drain: EndpointDrain, wakeUps: WakeUps): Promise<void> {
    const isFull = drain.messageIds.length > maxHeld / 2;
    if (isFull && !drain.isHalted) await wakeUps.next(maxUncheckedMs, drain.hasAtMost(maxHeld / 2));
    if (drain.isHalted) await drain.ended();
  }
}
