import { OnWorkerEvent, Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { Logger } from '#observability/logging';
import { ProcessNotifications } from '#postgres/database';
import { WakeUpHost } from '#queue/wake-ups';
import { LaneRunner } from './lane-runner.js';
import { laneElsewhere, LaneJob, lanesQueue } from '../../application/ports/lanes.port.js';

@Processor(lanesQueue, { concurrency: 20 })
export class LanesProcessor extends WakeUpHost {
  constructor(
    private readonly lanes: LaneRunner,
    private readonly notifications: ProcessNotifications,
    private readonly logger: Logger,
  ) {
    super();
  }

  async process(job: Job<LaneJob>): Promise<void> {
    // Jobs of the previous version have no team.
    if (this.lanes.wake(job.data.lane, job.data.teamId ?? '')) return;
    await this.notifications.send(laneElsewhere, JSON.stringify(job.data));
  }

  /**
   * Without a listener BullMQ would print the error. It reconnects by itself, and the sweep finds the work meanwhile.
   */
  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.logger.warn({ error }, 'the wake-up queue has trouble');
  }
}
