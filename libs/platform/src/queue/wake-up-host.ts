import { WorkerHost } from '@nestjs/bullmq';
import { BeforeApplicationShutdown } from '@nestjs/common';

/**
 * A processor of wake-ups. When the program stops it drops what it has: a job is nothing to wait for, and Redis, which
 * would have to be told that it is done, may be away.
 */
export abstract class WakeUpHost extends WorkerHost implements BeforeApplicationShutdown {
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close(true);
    // So closed, BullMQ on PostgreSQL still waits for the next job, with a timer that holds the process for 5 seconds.
    this.worker
      .getBackend()
      .disconnectBlocking(false)
      .catch(() => undefined);
  }
}
