import { WakeUps } from './wake-ups.js';

interface RunningLane {
  readonly wakeUps: WakeUps;
  readonly startedAt: number;
  readonly ended: Promise<void>;
}

/** The lanes that a process drains, with at most one drain per lane. */
export class RunningLanes {
  /** In the order of their start. */
  private readonly lanes = new Map<string, RunningLane>();

  get size(): number {
    return this.lanes.size;
  }

  has(lane: string): boolean {
    return this.lanes.has(lane);
  }

  /** Tells the drain of the lane about new work. Returns whether the lane is running. */
  notify(lane: string): boolean {
    const running = this.lanes.get(lane);
    running?.wakeUps.notify();
    return running !== undefined;
  }

  /** Runs the drain of a lane that is not running. `drain` never rejects, and `onEnded` is called after its end. */
  start(lane: string, drain: (wakeUps: WakeUps) => Promise<void>, onEnded: () => void): void {
    const wakeUps = new WakeUps();
    const ended = drain(wakeUps).finally(() => {
      this.lanes.delete(lane);
      onEnded();
    });
    this.lanes.set(lane, { wakeUps, startedAt: performance.now(), ended });
  }

  /** Stops up to `count` lanes that have run for `minTurnMs`, those started first. */
  stopOldest(count: number, minTurnMs: number): void {
    let stopped = 0;
    for (const { wakeUps, startedAt } of this.lanes.values()) {
      if (stopped === count || performance.now() - startedAt < minTurnMs) return;
      wakeUps.stop();
      stopped++;
    }
  }

  /** Stops all lanes. Resolves with whether all drains ended within the time. The caller starts no further lane. */
  async stop(timeoutMs: number): Promise<boolean> {
    for (const { wakeUps } of this.lanes.values()) wakeUps.stop();
    const ended = Promise.all([...this.lanes.values()].map((lane) => lane.ended)).then(() => true);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)));
    const inTime = await Promise.race([ended, timeout]);
    clearTimeout(timer);
    return inTime;
  }
}
