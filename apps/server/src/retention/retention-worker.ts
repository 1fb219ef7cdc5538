import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Retention } from './retention.js';

const firstMs = 60_000;
/** A day is over once a day. What could not be done the first time, for a lock or a day still needed, is tried again. */
const everyMs = 600_000;

@Injectable()
export class RetentionWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly retention: Retention,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => this.run(), firstMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private run(): void {
    this.running = this.retention
      .execute()
      .catch((error: unknown) =>
        this.logger.warn({ error }, 'old days could not be dropped; trying again in ten minutes'),
      )
      .then(() => {
        if (!this.stopped) this.timer = setTimeout(() => this.run(), everyMs);
      });
  }
}
