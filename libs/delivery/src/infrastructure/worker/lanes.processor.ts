import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { LaneRunner } from './lane-runner.js';
import { LaneJob, lanesQueue } from './lanes.queue.js';

@Processor(lanesQueue, { concurrency: 20 })
export class LanesProcessor extends WorkerHost {
  constructor(private readonly lanes: LaneRunner) {
    super();
  }

  async process(job: Job<LaneJob>): Promise<void> {
    this.lanes.wake(job.data.lane);
  }
}
