import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Broadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { LaneJob, lanesQueue, laneWork } from '../../application/lane-topics.js';
import { LaneSignal } from '../../application/ports/lane-signal.port.js';
import { LocalLanes } from '../../application/ports/local-lanes.port.js';
import { LaneWakeUps } from './lane-wake-ups.js';

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

  constructor(
    @InjectQueue(lanesQueue) private readonly queue: Queue<LaneJob>,
    @Optional() @Inject(LocalLanes) private readonly lanes: LocalLanes | undefined,
    private readonly broadcast: Broadcast,
    private readonly logger: Logger,
  ) {
    super();
    queue.on('error', (error) => this.logger.warn({ error }, 'the wake-up queue has trouble'));
  }

  wake(lane: string, teamId: string): void {
    if (this.lanes === undefined) this.remote.wake(lane, teamId);
    else this.lanes.wake(lane, teamId);
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
    this.broadcast
      .sendAll(laneWork, lanes)
      .catch((error: unknown) => this.logger.warn({ error }, 'wake-ups were lost; the sweep will find the work'));
  }
}
