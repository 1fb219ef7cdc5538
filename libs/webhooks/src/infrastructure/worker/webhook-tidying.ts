import { Config } from '#platform/config';
import { Logger } from '#platform/logging';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { TidyWebhooks } from '../../application/tidy-webhooks.use-case.js';

const everyMs = 60_000;

/** Disables and removes what has had its time, and seals secrets anew at a start with a new SECRET_KEY. */
@Injectable()
export class WebhookTidying implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private resealing: Promise<void> | undefined;

  constructor(
    private readonly tidy: TidyWebhooks,
    private readonly timers: Timers,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'tidying webhooks', () => this.tidy.execute());
    if (this.config.values.secretKeyPrevious.length === 0) return;
    this.resealing = this.tidy
      .reseal()
      .catch((error: unknown) => this.logger.warn({ error }, 'sealing webhook secrets anew failed'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.resealing;
  }
}
