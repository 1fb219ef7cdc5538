import { ByteBudget, HeldCount, isDatabaseAway, Slots, WakeUps } from '#kernel';
import { Injectable } from '@nestjs/common';
import { OutgoingEmail, OutgoingEmails } from '#emails';
import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { claimSize } from './claim-size.js';
import { DeliverEmail } from './deliver-email.js';
import { LaneHealth } from './lane-health.js';
import { LaneReports } from './lane-reports.js';
import { byEmail, loadBatches } from './load-batches.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';

/**
 * Recipients held beyond those under way: rendered, waiting for a connection, or waiting for their end to be written.
 * The next claim is made when half of them are left, so that its round trip never leaves a connection idle.
 */
const claimAhead = 256;
/** New mail is claimed in handfuls: after a wake-up a lane waits this long for more to gather. */
const gatherMs = 6;
/** How long a lane without work stays taken. Giving it up and taking it again costs more than the wait. */
const idleMs = 1_000;
/** Content that one process holds in memory for delivery, in bytes. */
const contentBudget = 96 * 1024 * 1024;

export type DrainResult = 'drained' | 'taken by another';

/** Delivers what is due in one lane until nothing is: the heart of the service. */
@Injectable()
export class DrainLane {
  private readonly budget = new ByteBudget(contentBudget);

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly emails: OutgoingEmails,
    private readonly deliverEmail: DeliverEmail,
    private readonly transport: DeliveryTransport,
    private readonly reports: LaneReports,
  ) {}

  /** When it throws, nothing of the lane is under way any more, but the worker may still hold some of it. */
  async execute(lane: string, workerId: string, wakeUps: WakeUps): Promise<DrainResult> {
    if (!(await this.queue.takeLane(lane, workerId))) return 'taken by another';
    const stillMine = await this.drain(lane, workerId, wakeUps).finally(() => this.reports.close(lane));
    if (stillMine) await this.queue.leaveLane(lane, workerId);
    return 'drained';
  }

  /** Answers whether the lane is still the worker's at the end. */
  private async drain(lane: string, workerId: string, wakeUps: WakeUps): Promise<boolean> {
    const concurrency = this.transport.concurrencyOf(lane);
    const slots = new Slots(concurrency);
    const held = new HeldCount();
    const health = new LaneHealth(this.queue, lane, workerId);
    const failures: unknown[] = [];
    this.reports.open(lane, workerId, held);

    let stillMine = true;
    while (!wakeUps.stopping && failures.length === 0 && health.trouble === undefined) {
      await held.atMost(concurrency + claimAhead / 2);
      const limit = claimSize(concurrency + claimAhead - held.count);
      const claimed = await this.queue
        .claim(lane, workerId, limit)
        .catch((error: unknown) => void failures.push(error));
      if (claimed === undefined) {
        stillMine = false;
        break;
      }
      for (const batch of loadBatches(claimed)) {
        held.add(batch.length);
        this.deliverBatch(batch, slots, held, health).catch((error: unknown) => failures.push(error));
      }
      if (claimed.length === limit) continue;
      const poked = await wakeUps.next(idleMs);
      if (!poked && held.count === 0) break;
      if (poked) await pause(gatherMs);
    }
    await held.atMost(0);
    if (failures.length > 0) throw failures[0];
    return stillMine;
  }

  /** Delivers claimed recipients, grouped by email, reading their content together. */
  private async deliverBatch(
    batch: readonly ClaimedRecipient[],
    slots: Slots,
    held: HeldCount,
    health: LaneHealth,
  ): Promise<void> {
    const groups = byEmail(batch);
    const size = groups.reduce((sum, [, recipients]) => sum + recipients[0].size, 0);
    await this.budget.take(size);
    try {
      const emails = await this.load(groups.map(([emailId]) => emailId)).catch((error: unknown) => {
        held.remove(batch.length);
        throw error;
      });
      const ends = groups.map(async ([emailId, recipients]) => {
        const end = this.deliverEmail.execute(emails.get(emailId), recipients, slots, health);
        await end.finally(() => held.remove(recipients.length));
      });
      // All must have ended before the lane may be given up, whatever becomes of one of them.
      const results = await Promise.allSettled(ends);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    } finally {
      this.budget.giveBack(size);
    }
  }

  /** Where one email's content is damaged, only that email goes without. */
  private async load(ids: readonly string[]): Promise<ReadonlyMap<string, OutgoingEmail>> {
    try {
      return await this.emails.load(ids);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const loaded = new Map<string, OutgoingEmail>();
      for (const id of ids) {
        const email = await this.emails.load([id]).catch(() => undefined);
        for (const [key, value] of email ?? []) loaded.set(key, value);
      }
      return loaded;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
