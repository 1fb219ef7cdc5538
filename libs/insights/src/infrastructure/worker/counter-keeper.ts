import { Clock } from '#kernel';
import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { EmailCounters } from '../../application/ports/email-counters.port.js';
import { retentionMs } from '../../domain/metrics-request.js';

const everyMs = 5 * 60_000;
/** By then nobody counts in a quarter of an hour any more. */
const settledMs = 60 * 60_000;

/** Keeps the counters small, in every worker: what one tidies up, the others pass over. */
@Injectable()
export class CounterKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private tidying: Promise<void> | undefined;

  constructor(
    private readonly counters: EmailCounters,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.tidying ??= this.tidy().finally(() => (this.tidying = undefined));
    }, everyMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.tidying;
  }

  private async tidy(): Promise<void> {
    const now = this.clock.now().getTime();
    try {
      await this.counters.tidy(new Date(now - settledMs), new Date(now - retentionMs));
    } catch (error) {
      this.logger.warn({ error }, 'the counters could not be tidied up; trying again later');
    }
  }
}
