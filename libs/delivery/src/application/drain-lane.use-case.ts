import { WakeUps } from '#kernel';
import { Injectable } from '@nestjs/common';
import { BulkDrain } from './bulk-drain.js';
import { byEmail, Recipients } from './by-email.js';
import { DeliverEmail } from './deliver-email.js';
import { LaneHealth } from './lane-health.js';
import { LaneReports } from './lane-reports.js';
import { LaneRun } from './lane-run.js';
import { LaneSlots } from './lane-slots.js';
import { LaneWindow, wantedBy } from './lane-window.js';
import { Claim, DeliveryQueue } from './ports/delivery-queue.port.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { TeamsInTurn } from './teams-in-turn.js';
import { worstOf } from './worst-of.js';

/** After a wake-up a lane waits this long for more mail, so that one claim takes several recipients. */
const gatherMs = 6;
/** How long a lane without work stays acquired. Releasing it and acquiring it again costs more than the wait. */
const idleMs = 1_000;
/** An upper bound only: the end of the deliveries ends the wait earlier. */
const maxWaitMs = 3_600_000;

/** The two kinds of mail of a lane that is drained. */
interface Runs {
  readonly transactional: LaneRun;
  readonly bulk: LaneRun;
}

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
    const runs = this.runsOf(lane, workerId);
    this.reports.open(lane, workerId, heldBy(runs));
    this.lanes++;
    const stillMine = await this.drain(runs, workerId, wakeUps, onStarted).finally(() => {
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

  private runsOf(lane: string, workerId: string): Runs {
    const concurrency = this.transport.concurrencyOf(lane);
    const health = new LaneHealth(this.queue, lane, workerId);
    const slots = new LaneSlots(concurrency);
    return {
      transactional: { lane, slots: slots.transactional, window: new LaneWindow(concurrency, this.all), health },
      bulk: { lane, slots: slots.bulk, window: new LaneWindow(concurrency, this.all), health },
    };
  }

  /** Resolves with whether the worker still has the lane at the end. */
  private async drain(runs: Runs, workerId: string, wakeUps: WakeUps, onStarted: () => void): Promise<boolean> {
    const run = runs.transactional;
    const { window, health } = run;
    const failures: unknown[] = [];
    let stillMine = true;
    const mayGoOn = (): boolean =>
      stillMine && !wakeUps.stopping && failures.length === 0 && health.trouble === undefined;
    const bulk = new BulkDrain(this.queue, runs.bulk, {
      workerId,
      mayGoOn,
      deliver: (claimed, of) => byEmail(claimed).forEach((recipients) => this.deliver(recipients, of, failures)),
      failed: (error) => failures.push(error),
      lost: () => (stillMine = false),
    });
    const whenQuiet = (): Promise<void> => window.whenEmpty().then(() => bulk.whenDone());

    const teams = new TeamsInTurn(this.queue, run.lane, workerId);
    // The last claim was full. Then every second claim takes turns between the teams.
    let isBacklogged = false;
    while (mayGoOn()) {
      await window.whenRoom();
      const wanted = wantedBy(window);
      const isTeamsTurn: boolean = isBacklogged && !window.isOpening;
      const claim: Claim | undefined = await (
        isTeamsTurn ? teams.claim() : this.queue.claim(run.lane, workerId, wanted)
      ).catch((error: unknown) => void failures.push(error));
      onStarted();
      if (claim === undefined) {
        stillMine = false;
        break;
      }
      if (claim.isBulkDue) bulk.start();
      for (const recipients of byEmail(claim.claimed)) this.deliver(recipients, run, failures);
      isBacklogged = !isTeamsTurn && claim.claimed.length >= wanted;
      if (isTeamsTurn || isBacklogged) continue;
      if (!(await hasNews(whenQuiet(), wakeUps, mayGoOn))) break;
    }
    await whenQuiet();
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

function heldBy({ transactional, bulk }: Runs): { readonly count: number; readonly finished: number } {
  return {
    get count() {
      return transactional.window.count + bulk.window.count;
    },
    get finished() {
      return transactional.window.finished + bulk.window.finished;
    },
  };
}

/** False where no delivery of the lane is under way and no wake-up has come for `idleMs`. */
async function hasNews(whenQuiet: Promise<void>, wakeUps: WakeUps, mayGoOn: () => boolean): Promise<boolean> {
  const isNotified = (await wakeUps.next(maxWaitMs, whenQuiet)) || (mayGoOn() && (await wakeUps.next(idleMs)));
  if (isNotified) await pause(gatherMs);
  return isNotified;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
