import { ClaimedRecipient } from '../domain/finished-attempt.js';
import { LaneRun } from './lane-run.js';
import { wantedBy } from './lane-window.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';

/** What the two drains of a lane share. */
export interface DrainedLane {
  readonly workerId: string;
  /** False from when the program stops, the site is down, or something failed. */
  mayGoOn(): boolean;
  deliver(claimed: readonly ClaimedRecipient[], run: LaneRun): void;
  failed(error: unknown): void;
  /** The worker no longer has the lane. */
  lost(): void;
}

/**
 * Delivers the bulk mail of a lane beside its transactional mail. It has a window of its own, so that claimed bulk mail
 * leaves transactional mail its room, and it claims team by team, so that one team's broadcast waits behind the share of the others.
 */
export class BulkDrain {
  private running: Promise<void> | undefined;
  private isDue = false;
  /** The last team examined. */
  private lookedAt: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
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
      if (!this.lane.mayGoOn()) return;
      if (this.lookedAt === undefined) this.isDue = false;
      const { lane, window } = this.run;
      const turn = await this.queue.claimBulk(lane, this.lane.workerId, wantedBy(window), this.lookedAt);
      if (turn === undefined) return this.lane.lost();
      this.lane.deliver(turn.claimed, this.run);
      this.lookedAt = turn.lookedAt;
      claimedInRound += turn.claimed.length;
      if (turn.lookedAt !== undefined) continue;
      if (claimedInRound === 0 && !this.isDue) return;
      claimedInRound = 0;
    }
  }
}
