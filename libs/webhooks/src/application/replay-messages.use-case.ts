import { Clock, NotFoundError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ManageWebhooks } from './manage-webhooks.use-case.js';
import { LaneSignal } from './ports/lane-signal.port.js';
import { MessageLog, ReplayFilter } from './ports/message-log.port.js';

/** Messages examined in one transaction. */
const batchSize = 1_000;
/** Maximum number of transactions of one request. The client continues with the cursor in the response. */
const maxBatches = 50;

export interface Replayed {
  readonly replayed: number;
  /** Id of the last message examined, if there are more. */
  readonly next: string | undefined;
}

/** Sends messages again that an endpoint missed or asks for: under the same ids, with the same bytes, oldest first. */
@Injectable()
export class ReplayMessages {
  constructor(
    private readonly webhooks: ManageWebhooks,
    private readonly log: MessageLog,
    private readonly signal: LaneSignal,
    private readonly clock: Clock,
  ) {}

  async one(teamId: string, webhookId: string, id: string): Promise<void> {
    await this.webhooks.find(teamId, webhookId);
    if (!(await this.log.replay(webhookId, id, this.clock.now()))) throw new NotFoundError('Webhook event');
    await this.signal.wake(webhookId);
  }

  async all(teamId: string, webhookId: string, filter: ReplayFilter, after: string | undefined): Promise<Replayed> {
    await this.webhooks.find(teamId, webhookId);
    // All get the same due time, because messages with equal due times are sent in the order of the events.
    const now = this.clock.now();
    let replayed = 0;
    let next = after;
    for (let batch = 0; batch < maxBatches; batch++) {
      const done = await this.log.replayBatch(webhookId, filter, next, batchSize, now);
      replayed += done.replayed;
      next = done.last;
      if (next === undefined) break;
    }
    if (replayed > 0) await this.signal.wake(webhookId);
    return { replayed, next };
  }
}
