import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Logger } from '#platform/logging';
import { LaneSignal } from '../../application/ports/lane-signal.port.js';
import { LaneRunner } from './lane-runner.js';
import { LaneWakeUps } from './lane-wake-ups.js';
import { LaneJob, lanesQueue } from './lanes.queue.js';

/** Wakes the lane in this process where it delivers itself, and through the queue, whichever worker comes first, otherwise. */
@Injectable()
export class QueueLaneSignal extends LaneSignal {
  private readonly remote = new LaneWakeUps((lane) => this.enqueue(lane));

  constructor(
    @InjectQueue(lanesQueue) private readonly queue: Queue<LaneJob>,
    @Optional() @Inject(LaneRunner) private readonly lanes: LaneRunner | undefined,
    private readonly logger: Logger,
  ) {
    super();
    queue.on('error', (error) => this.logger.warn({ error }, 'the wake-up queue has trouble'));
  }

  wake(lane: string): void {
    if (this.lanes === undefined) this.remote.wake(lane);
    else this.lanes.wake(lane);
  }

  private enqueue(lane: string): void {
    // One waiting job per lane; `:` separates the parts of BullMQ's own keys.
    this.queue
      .add('wake', { lane }, { jobId: lane.replaceAll(':', '/'), removeOnComplete: true, removeOnFail: true })
      .catch((error: unknown) => this.logger.warn({ error, lane }, 'a wake-up was lost; the sweep will find the work'));
  }
}
