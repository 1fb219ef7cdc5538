import { changeCount, FairQueue, isDatabaseTrouble, RunningLanes, WakeUps } from '#kernel';
import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { DrainLane, LaneNotAcquiredError } from '../../application/drain-lane.use-case.js';
import { laneElsewhere, LaneJob, LaneSignal, laneWork } from '../../application/ports/lanes.port.js';
import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';
import { ServedRegions } from '../../domain/lane-name.js';
import { WorkerIdentity } from '../../application/worker-identity.js';

export interface LaneRunnerLimits {
  /**
   * Maximum number of lanes that make their first claim at the same time: half of the process's database connections.
   */
  readonly maxStarting: number;
  /** Maximum number of lanes drained by one process. A lane that waits for a silent host holds about 15 KB. */
  readonly maxRunning: number;
  /** Lanes that a team may run even when `maxRunning` is reached. */
  readonly minRunningPerTeam: number;
  /** Maximum number of lanes of one team that wait to be started. The sweep finds the others later. */
  readonly maxWaitingPerTeam: number;
}

const laneLimits: LaneRunnerLimits = {
  maxStarting: 8,
  maxRunning: 10_000,
  minRunningPerTeam: 100,
  maxWaitingPerTeam: 5_000,
};

/**
 * Runs the lanes of this process, with at most one drain per lane.
 *
 * Teams take turns in starting lanes. A running lane mostly waits for a connection or a greeting and does not block
 * another lane. Beyond `maxRunning` lanes, a team with fewer than `minRunningPerTeam` may still start one; the others
 * wait until a lane ends, which happens at the latest when its hosts have failed and it is paused. So a lane waits only
 * for earlier lanes of its own team, never because of its name or of another team's lanes. If several teams have mail
 * in a lane, it starts in the earliest turn of these teams and counts as that team's.
 */
@Injectable()
export class LaneRunner implements OnModuleInit {
  private readonly running = new RunningLanes();
  private readonly runningOf = new Map<string, number>();
  private readonly waiting = new FairQueue<{ readonly lane: string; readonly teamId: string }>();
  /** Pairs of team and lane that wait. Each team waits in its own turn, whichever team asked first. */
  private readonly isWaiting = new Set<string>();
  /** Lanes whose drain failed, with the error. Each sweep tries to release them until that succeeds. */
  private readonly failed = new Map<string, unknown>();
  private starting = 0;
  private stopping = false;
  protected readonly limits: LaneRunnerLimits = laneLimits;

  // oxlint-disable-next-line max-params -- One story: which lanes start, where, and how others hear of them.
  constructor(
    private readonly drainLane: DrainLane,
    private readonly queue: DeliveryQueue,
    private readonly worker: WorkerIdentity,
    private readonly signal: LaneSignal,
    private readonly notifications: ProcessNotifications,
    private readonly logger: Logger,
    private readonly served: ServedRegions,
  ) {}

  onModuleInit(): void {
    this.signal.wakeHere((lane, teamId) => this.wake(lane, teamId));
    this.notifications.on(laneWork, (lane) => this.running.notify(lane));
    this.notifications.on(laneElsewhere, (payload) => {
      // Empty where notifications may have been missed: the sweep finds the work.
      if (payload === '') return;
      const { lane, teamId } = JSON.parse(payload) as LaneJob;
      this.wake(lane, teamId ?? '');
    });
  }

  /**
   * Starts the lane, or tells its drain about new work. `teamId` is the team whose mail waits. Returns false if this
   * process does not send from the region of the lane.
   */
  wake(lane: string, teamId: string): boolean {
    if (!this.served.serves(lane)) return false;
    this.wakeServed(lane, teamId);
    return true;
  }

  private wakeServed(lane: string, teamId: string): void {
    if (this.running.notify(lane)) return;
    const key = keyOf(lane, teamId);
    if (this.stopping || this.failed.has(lane) || this.isWaiting.has(key)) return;
    if (this.waiting.lengthOf(teamId) >= this.limits.maxWaitingPerTeam) return;
    this.isWaiting.add(key);
    this.waiting.push(teamId, { lane, teamId });
    this.startWaiting();
  }

  /**
   * Releases the lanes whose drain failed. Lanes that cannot be released are tried again the next time, and the first
   * such error is thrown.
   */
  async abandonFailed(): Promise<void> {
    const ends = await Promise.allSettled([...this.failed].map(([lane, error]) => this.abandon(lane, error)));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  /**
   * Stops all claims. Resolves with whether all deliveries under way ended within the time. After half of the time it
   * calls `hurry`, to give up deliveries that still wait for their turn at the pace of their site.
   */
  async stop(timeoutMs: number, hurry: () => void): Promise<boolean> {
    this.stopping = true;
    const halfTime = setTimeout(hurry, timeoutMs / 2);
    const inTime = await this.running.stop(timeoutMs);
    clearTimeout(halfTime);
    return inTime;
  }

  private async abandon(lane: string, error: unknown): Promise<void> {
    if (isDatabaseTrouble(error)) await this.queue.returnLane(lane, this.worker.id);
    else await this.queue.abandonLane(lane, this.worker.id);
    this.failed.delete(lane);
  }

  private startWaiting(): void {
    while (!this.stopping && this.starting < this.limits.maxStarting) {
      const next = this.waiting.shift((teamId) => this.mayRunFor(teamId));
      if (next === undefined) return;
      this.isWaiting.delete(keyOf(next.lane, next.teamId));
      // The lane was already started in another team's turn.
      if (this.running.has(next.lane)) continue;
      const { lane, teamId } = next;
      this.running.start(
        lane,
        (wakeUps) => this.run(lane, teamId, wakeUps),
        () => this.startWaiting(),
      );
    }
  }

  private mayRunFor(teamId: string): boolean {
    const { maxRunning, minRunningPerTeam } = this.limits;
    return this.running.size < maxRunning || (this.runningOf.get(teamId) ?? 0) < minRunningPerTeam;
  }

  private async run(lane: string, teamId: string, wakeUps: WakeUps): Promise<void> {
    let isStarting = true;
    const started = (): void => {
      if (!isStarting) return;
      isStarting = false;
      this.starting--;
      this.startWaiting();
    };
    this.starting++;
    changeCount(this.runningOf, teamId, 1);
    try {
      const result = await this.drainLane.drain(lane, this.worker.id, wakeUps, started);
      if (result === 'held by another') await this.notifications.send(laneWork, lane);
    } catch (error) {
      this.logger.error({ error, lane }, 'draining a lane failed');
      if (!(error instanceof LaneNotAcquiredError)) this.failed.set(lane, error);
    } finally {
      changeCount(this.runningOf, teamId, -1);
      started();
    }
  }
}

function keyOf(lane: string, teamId: string): string {
  return `${teamId} ${lane}`;
}
