import { Clock, WakeUps } from '#kernel';
import { Injectable } from '@nestjs/common';
import { EndpointDrain } from './endpoint-drain.js';
import { CallLog } from './ports/call-log.port.js';
import { MessageQueue } from './ports/message-queue.port.js';
import { StoredEvents } from './ports/stored-events.port.js';
import { WebhookClient } from './ports/webhook-client.port.js';

/** Messages held beyond the calls under way. The next are read when half of them are left. */
const held = 192;
/** How soon a lane without work looks again, and how long it does so before it is left: nobody wakes a lane in hand. */
const firstLookMs = 25;
const maxLookMs = 200;
const idleMs = 1_000;
/** How long messages are sent, where nobody pokes, without looking at the endpoint again. */
const maxBlindMs = 1_000;

/** Sends what is due to one endpoint until nothing is, or until it is told to stop. */
@Injectable()
export class DrainEndpoint {
  constructor(
    private readonly queue: MessageQueue,
    private readonly events: StoredEvents,
    private readonly client: WebhookClient,
    private readonly log: CallLog,
    private readonly clock: Clock,
  ) {}

  /** When it resolves or throws, nothing of the lane is under way any more, and the lane is left. */
  async execute(webhookId: string, workerId: string, wakeUps: WakeUps): Promise<void> {
    if (!(await this.queue.takeLane(webhookId, workerId))) return;
    const drain = new EndpointDrain(this.events, this.client, this.log, this.clock);
    try {
      await this.drain(webhookId, workerId, wakeUps, drain);
    } finally {
      drain.halt();
      await drain.ended();
      await this.queue.leaveLane(webhookId, workerId);
    }
    if (drain.failure !== undefined) throw drain.failure;
  }

  private async drain(webhookId: string, workerId: string, wakeUps: WakeUps, drain: EndpointDrain): Promise<void> {
    let look = firstLookMs;
    let idleSince = performance.now();
    while (!wakeUps.stopping && drain.failure === undefined) {
      await this.roomOrPoke(drain, wakeUps);
      const room = held - drain.messageIds.length;
      const work = await this.queue.work(webhookId, workerId, this.clock.now(), drain.messageIds, room);
      if (work === undefined) return;
      // Down: one message at a time, and never beside others. Between probes the lane is nobody's.
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
      const poked = await wakeUps.next(look);
      if (!poked) look = Math.min(look * 2, maxLookMs);
      if (drain.messageIds.length === 0 && performance.now() - idleSince > idleMs) return;
    }
  }

  /** A poke may say that the endpoint is not what it was, so what waits behind slow calls does not wait with that. */
  private async roomOrPoke(drain: EndpointDrain, wakeUps: WakeUps): Promise<void> {
    const isFull = drain.messageIds.length > held / 2;
    if (isFull && !drain.isHalted) await wakeUps.next(maxBlindMs, drain.hasAtMost(held / 2));
    if (drain.isHalted) await drain.ended();
  }
}
