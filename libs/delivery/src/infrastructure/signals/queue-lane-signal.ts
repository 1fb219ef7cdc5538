import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import { ServedRegions } from '../../domain/lane-name.js';
import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { LaneJob, LaneSignal, lanesQueue, laneWork } from '../../application/ports/lanes.port.js';

/** Maximum number of jobs that wait in memory while the queue is away. */
const maxWaiting = 10_000;

/** Wakes the lane in this process if this process delivers. Otherwise it enqueues a job for the first free worker. */
@Injectable()
export class QueueLaneSignal extends LaneSignal {
  private readonly remote = new LaneWakeUps({
    start: (lane, teamId) => this.enqueue(lane, teamId),
    notify: (lanes) => this.notify(lanes),
  });
  private readonly waiting = new Set<string>();
  private local: ((lane: string, teamId: string) => void) | undefined;

  constructor(
    @InjectQueue(lanesQueue) private readonly queue: Queue<LaneJob>,
    private readonly notifications: ProcessNotifications,
    private readonly logger: Logger,
    private readonly served: ServedRegions,
  ) {
    super();
    queue.on('error', (error) => this.logger.warn({ error }, 'the wake-up queue has trouble'));
  }

  wake(lane: string, teamId: string): void {
    if (this.local === undefined || !this.served.serves(lane)) this.remote.wake(lane, teamId);
    else this.local(lane, teamId);
  }

  wakeHere(start: (lane: string, teamId: string) => void): void {
    this.local = start;
  }

  private enqueue(lane: string, teamId: string): void {
    if (this.waiting.has(lane) || this.waiting.size >= maxWaiting) return;
    this.waiting.add(lane);
    // One waiting job per lane. BullMQ uses `:` as the separator of its own keys.
    this.queue
      .add('wake', { lane, teamId }, { jobId: lane.replaceAll(':', '/'), removeOnComplete: true, removeOnFail: true })
      .catch((error: unknown) => this.logger.warn({ error, lane }, 'a wake-up was lost; the sweep will find the work'))
      .finally(() => this.waiting.delete(lane));
  }

  private notify(lanes: readonly string[]): void {
    this.notifications
      .sendAll(laneWork, lanes)
      .catch((error: unknown) => this.logger.warn({ error }, 'wake-ups were lost; the sweep will find the work'));
  }
}

/** Minimum interval between two start jobs of a lane. In between, only the worker that has the lane is notified. */
const restMs = 1_000;
/** Notifications of all lanes are gathered for this long. */
const gatherMs = 10;
/**
 * Maximum number of lanes that one team starts within a second; the sweep finds the others. The jobs of all teams run
 * one after the other, about 1,500 a second, so one team must not fill the queue.
 */
const maxStartsPerTeam = 200;
/** Maximum number of teams remembered for a lane between two start jobs. */
const maxAskers = 16;

interface WakeUpWays {
  /** Lets the first free worker acquire the lane. Expensive: it enqueues a job. */
  start(lane: string, teamId: string): void;
  /** Notifies the workers that have these lanes; lanes without a worker are ignored. Cheap: one statement for all. */
  notify(lanes: readonly string[]): void;
}

/**
 * Wakes lanes in other processes. The first mail of a lane starts it. For the mail after it the lane already has a
 * worker, and a notification is enough: 28 ms from acceptance to delivery between two processes, where a job per 100 ms
 * and lane gave 66 ms.
 */
export class LaneWakeUps {
  /** The lanes started within `restMs`, each with the teams that asked for it since. */
  private readonly resting = new Map<string, Set<string>>();
  private readonly starts = new Map<string, number>();
  private readonly toNotify = new Set<string>();
  private gathering: NodeJS.Timeout | undefined;

  constructor(private readonly ways: WakeUpWays) {}

  wake(lane: string, teamId: string): void {
    const askers = this.resting.get(lane);
    if (askers === undefined) return void this.start(lane, teamId);
    if (askers.size < maxAskers) askers.add(teamId);
    this.toNotify.add(lane);
    this.gathering ??= setTimeout(() => this.notify(), gatherMs);
  }

  /** False if the team has reached its limit for now. */
  private start(lane: string, teamId: string): boolean {
    if (!this.maySpend(teamId)) return false;
    this.ways.start(lane, teamId);
    this.rest(lane, teamId);
    return true;
  }

  private maySpend(teamId: string): boolean {
    if (this.starts.size === 0) setTimeout(() => this.starts.clear(), restMs).unref();
    const starts = (this.starts.get(teamId) ?? 0) + 1;
    this.starts.set(teamId, starts);
    return starts <= maxStartsPerTeam;
  }

  /**
   * A notified worker may already have released the lane. So a lane that was requested again is started once more after
   * the interval, preferably for a team other than the last one, since each team has its own turn among the lanes of a
   * worker.
   */
  private rest(lane: string, startedFor: string): void {
    const askers = new Set<string>();
    this.resting.set(lane, askers);
    setTimeout(() => {
      this.resting.delete(lane);
      const isAskedAgain = askers.delete(startedFor);
      const hasStarted = [...askers].some((teamId) => this.start(lane, teamId));
      if (!hasStarted && isAskedAgain) this.start(lane, startedFor);
    }, restMs).unref();
  }

  private notify(): void {
    this.gathering = undefined;
    this.ways.notify([...this.toNotify]);
    this.toNotify.clear();
  }
}
