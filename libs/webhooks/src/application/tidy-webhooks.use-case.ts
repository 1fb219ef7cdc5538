import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { MessageQueue } from './ports/message-queue.port.js';
import { WebhookRepository } from './ports/webhook-repository.port.js';

/** Maximum number of batches of one run. The next run deletes the rest. */
const maxBatches = 20;

/** Deletes messages of removed endpoints, messages that have waited for a month, and secrets that no longer sign. */
@Injectable()
export class TidyWebhooks {
  constructor(
    private readonly queue: MessageQueue,
    private readonly webhooks: WebhookRepository,
    private readonly clock: Clock,
  ) {}

  /** Encrypts every secret with the present SECRET_KEY, so that the operator can remove earlier keys. */
  async reseal(): Promise<void> {
    await this.webhooks.reseal();
  }

  async execute(): Promise<void> {
    const now = this.clock.now();
    await this.webhooks.forgetOldSecrets(now);
    for (let batch = 0; batch < maxBatches; batch++) {
      if ((await this.queue.deleteExpired(now)) === 0) return;
    }
  }
}
