import { Logger } from '#platform/logging';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { RemoveExpiredKeys } from '../../application/remove-expired-keys.use-case.js';

const everyMs = 60_000;

/** Forgets keys past their life, a minute's worth at a time. */
@Injectable()
export class ExpiredKeysSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;

  constructor(
    private readonly removeExpiredKeys: RemoveExpiredKeys,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.sweep(), everyMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  private sweep(): void {
    this.sweeping ??= this.sweepOnce().finally(() => (this.sweeping = undefined));
  }

  private async sweepOnce(): Promise<void> {
    try {
      await this.removeExpiredKeys.execute();
    } catch (error) {
      this.logger.warn({ error }, 'expired idempotency keys could not be removed; trying again in a minute');
    }
  }
}
