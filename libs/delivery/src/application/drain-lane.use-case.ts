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

/** New mail is claimed in handfuls: after a wake-up a lane waits this long for more to gather. */
const gatherMs = 6;
/** How long a lane without work stays taken. Giving it up and taking it again costs more than the wait. */
const idleMs = 1_000;
/** A lane that waits for its deliveries is woken by their end. */
const maxWaitMs = 3_600_000;

/** Undefined where the worker no longer has the lane. */
type Claimed = readonly ClaimedRecipient[] | undefined;

/** Whether the worker has the lane is not known, but nothing of it was claimed: it may be taken again at any time. */
export class LaneNotTakenError extends Error {
  constructor(lane: string, cause: unknown) {
    super(`the lane ${lane} could not be taken`, { cause });
  }
}

export type DrainResult = 'drained' | 'taken by another';

/** Delivers what is due in one lane until nothing is: the heart of the service. */
@Injectable()
export class DrainLane {
  private readonly all = { held: 0 };

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly deliverEmail: DeliverEmail,
    private readonly transport: DeliveryTransport,
    private readonly reports: LaneReports,
  ) {}

  /**
   * `onStarted` is called when the first claim has been answered: from then on a lane whose site says nothing costs memory
   * for a few rows and nothing else. When it throws, nothing of the lane is under way any more, but the worker may still
   * hold some of it: untried where it throws trouble of the database. Of a `LaneNotTakenError` it holds nothing.
   */
  async execute(lane: string, workerId: string, wakeUps: WakeUps, onStarted: () => void): Promise<DrainResult> {
    if (!(await this.take(lane, workerId))) return 'taken by another';
    const concurrency = this.transport.concurrencyOf(lane);
    const window = new LaneWindow(concurrency, this.all);
    const run = { lane, slots: new Slots(concurrency), window, health: new LaneHealth(this.queue, lane, workerId) };
    this.reports.open(lane, workerId, window);
    const stillMine = await this.drain(run, workerId, wakeUps, onStarted).finally(() => this.reports.close(lane));
    if (stillMine) await this.queue.leaveLane(lane, workerId);
    return 'drained';
  }

  private async take(lane: string, workerId: string): Promise<boolean> {
    try {
      return await this.queue.takeLane(lane, workerId);
    } catch (error) {
      throw new LaneNotTakenError(lane, error);
    }
  }

  /** Responses whether the lane is still the worker's at the end. */
  private async drain(run: LaneRun, workerId: string, wakeUps: WakeUps, onStarted: () => void): Promise<boolean> {
    const { window, health } = run;
    const failures: unknown[] = [];
    const mayGoOn = (): boolean => !wakeUps.stopping && failures.length === 0 && health.trouble === undefined;

    const teams = new TeamsInTurn(this.queue, run.lane, workerId);
    // More was due than was claimed: every second claim is the teams' in turn.
    let isBacklogged = false;
    let stillMine = true;
    while (mayGoOn()) {
      await window.whenRoom();
      const wanted = window.isOpening ? openingClaim - window.count : claimSize(window.limit - window.count);
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

/** False where nothing of the lane is under way any more and nobody has told of new work for a while. */
async function hasNews(window: LaneWindow, wakeUps: WakeUps, mayGoOn: () => boolean): Promise<boolean> {
  const isPoked = (await wakeUps.next(maxWaitMs, window.whenEmpty())) || (mayGoOn() && (await wakeUps.next(idleMs)));
  if (isPoked) await pause(gatherMs);
  return isPoked;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
