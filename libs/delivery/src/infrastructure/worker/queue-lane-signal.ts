import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Broadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { LaneSignal } from '../../application/ports/lane-signal.port.js';
import { LaneRunner } from './lane-runner.js';
import { LaneWakeUps } from './lane-wake-ups.js';
import { laneWork } from './lane-work.js';
import { LaneJob, lanesQueue } from './lanes.queue.js';

/** A queue that is away keeps what it is given until it is back: no more of it than this. */
const maxWaiting = 10_000;

/** Wakes the lane in this process where it delivers itself, and through the queue, whichever worker comes first, otherwise. */
@Injectable()
export class QueueLaneSignal extends LaneSignal {
  private readonly remote = new LaneWakeUps({
    start: (lane, teamId) => this.enqueue(lane, teamId),
    poke: (lanes) => this.poke(lanes),
  });
  private readonly waiting = new Set<string>();

  constructor(
    @InjectQueue(lanesQueue) private readonly queue: Queue<LaneJob>,
    @Optional() @Inject(LaneRunner) private readonly lanes: LaneRunner | undefined,
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
    // One waiting job per lane; `:` separates the parts of BullMQ's own keys.
    this.queue
      .add('wake', { lane, teamId }, { jobId: lane.replaceAll(':', '/'), removeOnComplete: true, removeOnFail: true })
      .catch((error: unknown) => this.logger.warn({ error, lane }, 'a wake-up was lost; the sweep will find the work'))
      .finally(() => this.waiting.delete(lane));
  }

  private poke(lanes: readonly string[]): void {
    this.broadcast
      .sendAll(laneWork, lanes)
      .catch((error: unknown) => this.logger.warn({ error }, 'wake-ups were lost; the sweep will find the work'));
  }
}
