import { WorkerHost } from '@nestjs/bullmq';
import { BeforeApplicationShutdown } from '@nestjs/common';

/**
 * A processor of wake-ups. When the program stops, it drops its jobs: a wake-up may be lost, and Redis, which would
 * have to store that a job is done, may be unavailable.
 */
export abstract class WakeUpHost extends WorkerHost implements BeforeApplicationShutdown {
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close(true);
    // After `close(true)`, BullMQ on PostgreSQL still waits for the next job, with a timer that keeps the process alive
    // for 5 s.
    this.worker
      .getBackend()
      .disconnectBlocking(false)
      .catch(() => undefined);
  }
}
