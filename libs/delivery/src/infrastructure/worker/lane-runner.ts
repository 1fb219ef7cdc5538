import { isDatabaseTrouble, WakeUps } from '#kernel';
import { Broadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { DrainLane } from '../../application/drain-lane.use-case.js';
import { DeliveryQueue } from '../../application/ports/delivery-queue.port.js';
import { laneWork } from './lane-work.js';
import { WorkerIdentity } from './worker-identity.js';

/** Lanes drained at once by one process. What is beyond waits for the next sweep. */
export const mostLanes = 500;

/** Runs the lanes of this process: at most one drain per lane, woken from wherever work comes. */
@Injectable()
export class LaneRunner implements OnModuleInit {
  private readonly running = new Map<string, { readonly wakeUps: WakeUps; readonly ended: Promise<void> }>();
  /** Lanes whose drain failed: what is held of them is given up with the next sweep, again and again until it works. */
  private readonly failed = new Map<string, unknown>();
  private stopping = false;

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

  wake(lane: string): void {
    const run = this.running.get(lane);
    if (run !== undefined) run.wakeUps.poke();
    else if (!this.stopping && !this.failed.has(lane) && this.running.size < mostLanes) this.start(lane);
  }

  async abandonFailed(): Promise<void> {
    for (const [lane, error] of this.failed) {
      if (isDatabaseTrouble(error)) await this.queue.returnLane(lane, this.worker.id);
      else await this.queue.abandonLane(lane, this.worker.id);
      this.failed.delete(lane);
    }
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

  private start(lane: string): void {
    const wakeUps = new WakeUps();
    this.running.set(lane, { wakeUps, ended: this.run(lane, wakeUps) });
  }

  private async run(lane: string, wakeUps: WakeUps): Promise<void> {
    try {
      const result = await this.drainLane.execute(lane, this.worker.id, wakeUps);
      if (result === 'taken by another') await this.broadcast.send(laneWork, lane);
    } catch (error) {
      this.logger.error({ error, lane }, 'draining a lane failed');
      this.failed.set(lane, error);
    } finally {
      this.running.delete(lane);
    }
  }
}
