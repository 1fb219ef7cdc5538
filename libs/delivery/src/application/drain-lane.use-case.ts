import { Injectable } from '@nestjs/common';
import { WakeUps } from '#kernel';
import { ClaimedRecipient } from '../domain/attempt.js';
import { DeliverEmail, Recipients, worstOf, LaneHealth, LaneRun } from './deliver-email.js';
import { LaneReports } from './lane-reports.js';
import { LaneSlots, LaneWindow, wantedBy, PacedClaims } from './lane-window.js';
import { Claim, DeliveryQueue } from './ports/delivery-queue.port.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';
import { RecheckBulk } from './recheck-bulk.js';

/** After a wake-up a lane waits this long for more mail, so that one claim takes several recipients. */
const gatherMs = 6;
/** How long a lane without work stays acquired. Releasing it and acquiring it again costs more than the wait. */
const idleMs = 1_000;
/** An upper bound only: the end of the deliveries ends the wait earlier. */
const maxWaitMs = 3_600_000;

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

/** A lane that this worker has acquired, and what it holds of the lane. */
interface AcquiredLane {
  readonly lane: string;
  readonly workerId: string;
  readonly wakeUps: WakeUps;
  readonly transactional: LaneRun;
  readonly bulk: LaneRun;
}

/**
 * Delivers all recipients of one lane that are due. This is the central loop of the service:
 *
 * 1. acquire the lane, so that no other worker claims from it;
 * 2. claim recipients, as many as the window has room for;
 * 3. deliver each email (`DeliverEmail`), without waiting for its end;
 * 4. wait for room, for a wake-up, or until the lane has been idle for `idleMs`;
 * 5. release the lane.
 *
 * There are three kinds of claims:
 *
 * - next: transactional mail, due for longest first. This is the normal one.
 * - in turns: some transactional mail of each of the next teams. It is every second claim while more mail is due than one
 *   claim takes, so that no team waits for all mail that another team sent before.
 * - bulk: broadcasts, team by team, into a window of their own beside the other two (`BulkDrain`).
 */
@Injectable()
export class DrainLane {
  private readonly all = { held: 0 };
  private lanes = 0;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly claims: PacedClaims,
    private readonly deliverEmail: DeliverEmail,
    private readonly recheckBulk: RecheckBulk,
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
  async drain(lane: string, workerId: string, wakeUps: WakeUps, onStarted: () => void): Promise<DrainResult> {
    if (!this.claims.mayDrain(lane)) return 'drained';
    if (!(await this.acquire(lane, workerId))) return 'held by another';
    const acquired = this.begin(lane, workerId, wakeUps);
    this.reports.open(lane, workerId, heldOf(acquired));
    this.lanes++;
    const stillMine = await this.deliverAll(acquired, onStarted).finally(() => {
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

  private begin(lane: string, workerId: string, wakeUps: WakeUps): AcquiredLane {
    const concurrency = this.transport.concurrencyOf(lane);
    const health = new LaneHealth(this.queue, lane, workerId);
    const slots = new LaneSlots(concurrency);
    return {
      lane,
      workerId,
      wakeUps,
      transactional: { lane, slots: slots.transactional, window: new LaneWindow(concurrency, this.all), health },
      bulk: { lane, slots: slots.bulk, window: new LaneWindow(concurrency, this.all), health },
    };
  }

  /** Resolves with whether the worker still has the lane at the end. */
  private async deliverAll(acquired: AcquiredLane, onStarted: () => void): Promise<boolean> {
    const { lane, workerId, wakeUps, transactional } = acquired;
    const { window, health } = transactional;
    const failures: unknown[] = [];
    let stillMine = true;
    const mayGoOn = (): boolean =>
      stillMine && !wakeUps.stopping && failures.length === 0 && health.trouble === undefined;
    const bulk = new BulkDrain(this.queue, this.claims, this.recheckBulk, acquired.bulk, {
      workerId,
      mayGoOn,
      deliver: (claimed, run) => this.deliver(claimed, run, failures),
      failed: (error) => failures.push(error),
      lost: () => (stillMine = false),
    });
    const whenQuiet = (): Promise<void> => window.whenEmpty().then(() => bulk.whenDone());

    const teams = new TeamsInTurn(this.claims, lane, workerId);
    // The last claim was full. Then every second claim takes turns between the teams.
    let isBacklogged = false;
    while (mayGoOn()) {
      if (health.probes > 0) {
        if (!(await hasNews(whenQuiet(), wakeUps, mayGoOn))) break;
        continue;
      }
      await window.whenRoom();
      const wanted = wantedBy(window);
      const isTeamsTurn: boolean = isBacklogged && !window.isOpening;
      const askedAt = performance.now();
      const claim: Claim | undefined = await (
        isTeamsTurn ? teams.claim() : this.claims.claim(lane, workerId, wanted, onStarted)
      ).catch((error: unknown) => void failures.push(error));
      window.measured(performance.now() - askedAt);
      onStarted();
      if (claim === undefined) {
        stillMine = false;
        break;
      }
      if (claim.isBulkDue) bulk.start();
      window.add(claim.claimed.length);
      this.deliver(claim.claimed, transactional, failures);
      isBacklogged = !isTeamsTurn && claim.claimed.length >= wanted;
      if (isTeamsTurn || isBacklogged) continue;
      if (!(await hasNews(whenQuiet(), wakeUps, mayGoOn))) break;
    }
    await whenQuiet();
    if (failures.length > 0) throw worstOf(failures);
    return stillMine;
  }

  /** Delivers recipients that are already in the window of the run. */
  private deliver(claimed: readonly ClaimedRecipient[], run: LaneRun, failures: unknown[]): void {
    for (const recipients of byEmail(claimed)) {
      const probes = recipients[0].isProbe === true ? 1 : 0;
      run.health.probes += probes;
      const ended = (): void => {
        run.health.probes -= probes;
        run.window.remove(recipients.length);
      };
      this.deliverEmail.deliver(recipients, run).then(ended, (error: unknown) => {
        failures.push(error);
        ended();
      });
    }
  }
}

/** The claims in turns. Each continues after the last team of the claim before. */
class TeamsInTurn {
  private lookedAt: string | undefined;

  constructor(
    private readonly claims: PacedClaims,
    private readonly lane: string,
    private readonly workerId: string,
  ) {}

  /** Undefined if the worker no longer has the lane. */
  async claim(): Promise<Claim | undefined> {
    const turn = await this.claims.claimInTurns(this.lane, this.workerId, this.lookedAt);
    this.lookedAt = turn?.lookedAt;
    return turn && { claimed: turn.claimed, isBulkDue: false };
  }
}

/** What the two drains of a lane share. */
interface DrainedLane {
  readonly workerId: string;
  /** Returns false once the program stops, the site is down, or something failed. */
  mayGoOn(): boolean;
  deliver(claimed: readonly ClaimedRecipient[], run: LaneRun): void;
  failed(error: unknown): void;
  /** The worker no longer has the lane. */
  lost(): void;
}

/**
 * Delivers the bulk mail of a lane beside its transactional mail. It has a window of its own, so that claimed bulk mail
 * leaves transactional mail its room, and it claims team by team, so that one team's broadcast waits behind the share
 * of the others.
 */
class BulkDrain {
  private running: Promise<void> | undefined;
  private isDue = false;
  /** The last team examined. */
  private lookedAt: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly claims: PacedClaims,
    private readonly recheck: RecheckBulk,
    private readonly run: LaneRun,
    private readonly lane: DrainedLane,
  ) {}

  /** Bulk mail is due. */
  start(): void {
    this.isDue = true;
    this.running ??= this.drain()
      .catch((error: unknown) => this.lane.failed(error))
      .finally(() => (this.running = undefined));
  }

  /** Resolves when no more bulk mail can be claimed and none is held. One caller waits at a time. */
  async whenDone(): Promise<void> {
    await this.running;
    await this.run.window.whenEmpty();
  }

  private async drain(): Promise<void> {
    let claimedInRound = 0;
    for (;;) {
      await this.run.window.whenRoom();
      if (!this.lane.mayGoOn() || this.run.health.probes > 0) return;
      if (this.lookedAt === undefined) this.isDue = false;
      const { lane, window } = this.run;
      const askedAt = performance.now();
      const turn = await this.claims.claimBulk(lane, this.lane.workerId, wantedBy(window), this.lookedAt);
      window.measured(performance.now() - askedAt);
      if (turn === undefined) return this.lane.lost();
      this.lane.deliver(await this.stillWanted(turn.claimed), this.run);
      this.lookedAt = turn.lookedAt;
      claimedInRound += turn.claimed.length;
      if (turn.lookedAt !== undefined) continue;
      if (claimedInRound === 0 && !this.isDue) return;
      claimedInRound = 0;
    }
  }

  /** Adds what was claimed to the window. If the question fails, it goes back untried. */
  private async stillWanted(claimed: readonly ClaimedRecipient[]): Promise<readonly ClaimedRecipient[]> {
    const { window } = this.run;
    window.add(claimed.length);
    try {
      const wanted = await this.recheck.stillWanted(claimed);
      window.remove(claimed.length - wanted.length);
      return wanted;
    } catch (error) {
      window.remove(claimed.length);
      await this.queue.returnUntried(this.lane.workerId, claimed).catch(() => undefined);
      throw error;
    }
  }
}

/** Groups recipients by email, in the order in which the emails were claimed. */
function byEmail(claimed: readonly ClaimedRecipient[]): Recipients[] {
  const groups = new Map<string, [ClaimedRecipient, ...ClaimedRecipient[]]>();
  for (const recipient of claimed) {
    const group = groups.get(recipient.emailId);
    if (group === undefined) groups.set(recipient.emailId, [recipient]);
    else group.push(recipient);
  }
  return [...groups.values()];
}

/** Counts for the report of the lane, which reads them later. */
function heldOf({ transactional, bulk }: AcquiredLane): { readonly count: number; readonly finished: number } {
  return {
    get count() {
      return transactional.window.count + bulk.window.count;
    },
    get finished() {
      return transactional.window.finished + bulk.window.finished;
    },
  };
}

/** Returns false if no delivery of the lane is under way and no wake-up has come for `idleMs`. */
async function hasNews(whenQuiet: Promise<void>, wakeUps: WakeUps, mayGoOn: () => boolean): Promise<boolean> {
  const isNotified = (await wakeUps.next(maxWaitMs, whenQuiet)) || (mayGoOn() && (await wakeUps.next(idleMs)));
  if (isNotified) await pause(gatherMs);
  return isNotified;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
