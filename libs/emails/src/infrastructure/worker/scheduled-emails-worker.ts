import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ReleaseScheduled } from '../../application/release-scheduled.use-case.js';

/** Due mail leaves within a second: this is what it waits at most. Looking costs one short indexed statement. */
const everyMs = 250;

/** Looks for mail whose time has come, in every worker; what one takes, the others pass over. */
@Injectable()
export class ScheduledEmailsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private releasing: Promise<void> | undefined;

  constructor(
    private readonly releaseScheduled: ReleaseScheduled,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.release(), everyMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.releasing;
  }

  private release(): void {
    this.releasing ??= this.releaseOnce().finally(() => (this.releasing = undefined));
  }

  private async releaseOnce(): Promise<void> {
    try {
      await this.releaseScheduled.execute();
    } catch (error) {
      this.logger.warn({ error }, 'scheduled mail could not be released; trying again');
    }
  }
}
