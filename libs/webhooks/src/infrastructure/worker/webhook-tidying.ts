import { Clock } from '#kernel';
import { Config } from '#platform/config';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { MessageQueue } from '../../application/ports/message-queue.port.js';
import { WebhookRepository } from '../../application/ports/webhook-repository.port.js';

const everyMs = 60_000;
/** Maximum number of batches of one run. The next run deletes the rest. */
const maxBatches = 20;

/**
 * Deletes messages of removed endpoints, messages that have waited for a month, and secrets that no longer sign. At a
 * start with an earlier SECRET_KEY it encrypts every secret with the present one, so that the operator can remove the
 * earlier key.
 */
@Injectable()
export class WebhookTidying implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private resealing: Promise<void> | undefined;

  constructor(
    private readonly queue: MessageQueue,
    private readonly webhooks: WebhookRepository,
    private readonly clock: Clock,
    private readonly timers: Timers,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'tidying webhooks', () => this.tidy());
    if (this.config.values.secretKeyPrevious.length === 0) return;
    this.resealing = this.webhooks
      .reseal()
      .catch((error: unknown) => this.logger.warn({ error }, 'encrypting webhook secrets with the present key failed'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.resealing;
  }

  async tidy(): Promise<void> {
    const now = this.clock.now();
    await this.webhooks.forgetOldSecrets(now);
    for (let batch = 0; batch < maxBatches; batch++) {
      if ((await this.queue.deleteExpired(now)) === 0) return;
    }
  }
}
