import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { MessageQueue } from './ports/message-queue.port.js';
import { WebhookRepository } from './ports/webhook-repository.port.js';

/** Batches of one turn: what is left waits for the next. */
const maxBatches = 20;

/** Everything has an end: what waits for removed endpoints or has waited for a month, and secrets after a rotation. */
@Injectable()
export class TidyWebhooks {
  constructor(
    private readonly queue: MessageQueue,
    private readonly webhooks: WebhookRepository,
    private readonly clock: Clock,
  ) {}

  /** Seals every secret with the present SECRET_KEY, so that earlier ones can be forgotten. */
  async reseal(): Promise<void> {
    await this.webhooks.reseal();
  }

  async execute(): Promise<void> {
    const now = this.clock.now();
    await this.webhooks.forgetOldSecrets(now);
    for (let batch = 0; batch < maxBatches; batch++) {
      if ((await this.queue.sweepOut(now)) === 0) return;
    }
  }
}
