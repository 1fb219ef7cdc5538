import { FairQueue, isDatabaseTrouble, WakeUps } from '#kernel';
import { Broadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { DrainLane, LaneNotTakenError } from '../../application/drain-lane.use-case.js';
import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';
import { laneWork } from './lane-work.js';
import { WorkerIdentity } from '../../application/worker-identity.js';

export interface LaneLimits {
  /** Lanes that take their first recipients at once: half of the connections to the database that a process has. */
  readonly maxStarting: number;
  /** Lanes drained at once by one process. One that waits for a silent host holds some 15 KB. */
  readonly maxRunning: number;
  /** Lanes that a team may have running all the same where there are that many. */
  readonly minRunningPerTeam: number;
  /** Lanes of one team that wait to be started. More are found by the sweep when their turn comes. */
  readonly maxWaitingPerTeam: number;
}

const laneLimits: LaneLimits = {
  maxStarting: 8,
  maxRunning: 10_000,
  minRunningPerTeam: 100,
  maxWaitingPerTeam: 5_000,
};

/**
 * Runs the lanes of this process: at most one drain per lane, woken from wherever work comes.
 *
 * The rule between lanes: teams take turns in starting theirs, and a lane that runs only waits, for a connection or a
 * greeting, without keeping another from running. Beyond `maxRunning` lanes a team that has few may start one nevertheless;
 * the others wait until one ends, which it does when its hosts have failed and pause it. So a lane waits for as many
 * others of its own team as were there before it, and never because of its name or of another team's lanes. Where several
 * teams have mail in a lane, it starts in the turn of the first that has one, and counts as that team's.
 */
@Injectable()
export class LaneRunner implements OnModuleInit {
  private readonly running = new Map<string, { readonly wakeUps: WakeUps; readonly ended: Promise<void> }>();
  private readonly runningOf = new Map<string, number>();
  private readonly waiting = new FairQueue<{ readonly lane: string; readonly teamId: string }>();
  /** Lanes by the teams that wait for them: each of them waits in its own turn, whoever asked first. */
  private readonly isWaiting = new Set<string>();
  /** Lanes whose drain failed: what is held of them is given up with the next sweep, again and again until it works. */
  private readonly failed = new Map<string, unknown>();
  private starting = 0;
  private stopping = false;
  protected readonly limits: LaneLimits = laneLimits;

  constructor(
    private readonly drainLane: DrainLane,
    private readonly queue: DeliveryQueue,
    private readonly worker: WorkerIdentity,
    private readonly broadcast: Broadcast,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.broadcast.on(laneWork, (lane) => this.running.get(lane)?.wakeUps.poke());
  }

  wake(lane: string, teamId: string): void {
    const run = this.running.get(lane);
    if (run !== undefined) return run.wakeUps.poke();
    const key = keyOf(lane, teamId);
    if (this.stopping || this.failed.has(lane) || this.isWaiting.has(key)) return;
    if (this.waiting.lengthOf(teamId) >= this.limits.maxWaitingPerTeam) return;
    this.isWaiting.add(key);
    this.waiting.push(teamId, { lane, teamId });
    this.startWaiting();
  }

  /** Rejects with the first failure where lanes cannot be given up. The others are, and these the next time. */
  async abandonFailed(): Promise<void> {
    const ends = await Promise.allSettled([...this.failed].map(([lane, error]) => this.abandon(lane, error)));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  /**
   * No lane claims anything more. Resolves with whether all that was under way has ended within the time; half-way
   * `hurry` is called, for what would still wait its turn at the pace of its site.
   */
  async stop(timeoutMs: number, hurry: () => void): Promise<boolean> {
    this.stopping = true;
    for (const { wakeUps } of this.running.values()) wakeUps.stop();
    const ended = Promise.all([...this.running.values()].map((run) => run.ended)).then(() => true);
    const halfTime = setTimeout(hurry, timeoutMs / 2);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)));
    const inTime = await Promise.race([ended, timeout]);
    clearTimeout(halfTime);
    clearTimeout(timer);
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
      // Another team's turn with it came first.
      if (this.running.has(next.lane)) continue;
      const wakeUps = new WakeUps();
      this.running.set(next.lane, { wakeUps, ended: this.run(next.lane, next.teamId, wakeUps) });
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
    this.count(teamId, 1);
    try {
      const result = await this.drainLane.execute(lane, this.worker.id, wakeUps, started);
      if (result === 'taken by another') await this.broadcast.send(laneWork, lane);
    } catch (error) {
      this.logger.error({ error, lane }, 'draining a lane failed');
      if (!(error instanceof LaneNotTakenError)) this.failed.set(lane, error);
    } finally {
      this.running.delete(lane);
      this.count(teamId, -1);
      started();
      this.startWaiting();
    }
  }

  private count(teamId: string, change: number): void {
    const count = (this.runningOf.get(teamId) ?? 0) + change;
    if (count === 0) this.runningOf.delete(teamId);
    else this.runningOf.set(teamId, count);
  }
}

function keyOf(lane: string, teamId: string): string {
  return `${teamId} ${lane}`;
}
