import { Slots, WakeUps } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { byEmail, Recipients } from './by-email.js';
import { claimSize } from './claim-size.js';
import { DeliverEmail } from './deliver-email.js';
import { LaneHealth } from './lane-health.js';
import { LaneReports } from './lane-reports.js';
import { LaneRun } from './lane-run.js';
import { LaneWindow, openingClaim } from './lane-window.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { TeamsInTurn } from './teams-in-turn.js';
import { worstOf } from './worst-of.js';

/** After a wake-up a lane waits this long for more mail, so that one claim takes several recipients. */
const gatherMs = 6;
/** How long a lane without work stays acquired. Releasing it and acquiring it again costs more than the wait. */
const idleMs = 1_000;
/** An upper bound only: the end of the deliveries ends the wait earlier. */
const maxWaitMs = 3_600_000;

/** Undefined where the worker no longer has the lane. */
type Claimed = readonly ClaimedRecipient[] | undefined;

/**
 * It is unknown whether the worker acquired the lane, but it claimed nothing of it: the lane may be acquired again at
 * any time.
 */
export class LaneNotAcquiredError extends Error {
  constructor(lane: string, cause: unknown) {
    super(`the lane ${lane} could not be acquired`, { cause });
  }
}

export type DrainResult = 'drained' | 'held by another';

/** Delivers all recipients of one lane that are due. This is the central loop of the service. */
@Injectable()
export class DrainLane {
  private readonly all = { held: 0 };
  private lanes = 0;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly deliverEmail: DeliverEmail,
    private readonly transport: DeliveryTransport,
    private readonly reports: LaneReports,
  ) {}

  /** Lanes that this process drains, and recipients that it has claimed. */
  get load(): { readonly lanes: number; readonly held: number } {
    return { lanes: this.lanes, held: this.all.held };
  }

  /**
   * Calls `onStarted` after the first claim. From then on a lane whose site does not reply costs only the memory of a
   * few rows.
   *
   * If this rejects, no delivery of the lane is under way any more, but the worker may still hold recipients of it.
   * They were never tried if the error is a database error. After a `LaneNotAcquiredError` the worker holds none.
   */
  async execute(lane: string, workerId: string, wakeUps: WakeUps, onStarted: () => void): Promise<DrainResult> {
    if (!(await this.acquire(lane, workerId))) return 'held by another';
    const concurrency = this.transport.concurrencyOf(lane);
    const window = new LaneWindow(concurrency, this.all);
    const run = { lane, slots: new Slots(concurrency), window, health: new LaneHealth(this.queue, lane, workerId) };
    this.reports.open(lane, workerId, window);
    this.lanes++;
    const stillMine = await this.drain(run, workerId, wakeUps, onStarted).finally(() => {
      this.lanes--;
      this.reports.close(lane);
    });
    if (stillMine) await this.queue.releaseLane(lane, workerId);
    return 'drained';
  }

  private async acquire(lane: string, workerId: string): Promise<boolean> {
    try {
      return await this.queue.acquireLane(lane, workerId);
    } catch (error) {
      throw new LaneNotAcquiredError(lane, error);
    }
  }

  /** Resolves with whether the worker still has the lane at the end. */
  private async drain(run: LaneRun, workerId: string, wakeUps: WakeUps, onStarted: () => void): Promise<boolean> {
    const { window, health } = run;
    const failures: unknown[] = [];
    const mayGoOn = (): boolean => !wakeUps.stopping && failures.length === 0 && health.trouble === undefined;

    const teams = new TeamsInTurn(this.queue, run.lane, workerId);
    // The last claim was full. Then every second claim takes turns between the teams.
    let isBacklogged = false;
    let stillMine = true;
    while (mayGoOn()) {
      await window.whenRoom();
      const wanted = window.isOpening
        ? Math.max(1, openingClaim - window.count)
        : claimSize(window.limit - window.count);
      const isTeamsTurn: boolean = isBacklogged && !window.isOpening;
      const claimed: Claimed = await (isTeamsTurn ? teams.claim() : this.queue.claim(run.lane, workerId, wanted)).catch(
        (error: unknown) => void failures.push(error),
      );
      onStarted();
      if (claimed === undefined) {
        stillMine = false;
        break;
      }
      for (const recipients of byEmail(claimed)) this.deliver(recipients, run, failures);
      isBacklogged = !isTeamsTurn && claimed.length >= wanted;
      if (isTeamsTurn || isBacklogged) continue;
      if (!(await hasNews(window, wakeUps, mayGoOn))) break;
    }
    await window.whenEmpty();
    if (failures.length > 0) throw worstOf(failures);
    return stillMine;
  }

  private deliver(recipients: Recipients, run: LaneRun, failures: unknown[]): void {
    run.window.add(recipients.length);
    void this.deliverEmail
      .execute(recipients, run)
      .catch((error: unknown) => failures.push(error))
      .finally(() => run.window.remove(recipients.length));
  }
}

/** False where no delivery of the lane is under way and no wake-up has come for `idleMs`. */
async function hasNews(window: LaneWindow, wakeUps: WakeUps, mayGoOn: () => boolean): Promise<boolean> {
  const isNotified = (await wakeUps.next(maxWaitMs, window.whenEmpty())) || (mayGoOn() && (await wakeUps.next(idleMs)));
  if (isNotified) await pause(gatherMs);
  return isNotified;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
