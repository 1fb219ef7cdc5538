import { Broadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { Injectable } from '@nestjs/common';
import { LaneSignal } from '../../application/ports/lane-signal.port.js';

/** The topic of wake-ups. The triggers that make messages send to it as well. The payload is the id of a webhook. */
export const webhookWork = 'webhook-work';

@Injectable()
export class BroadcastLaneSignal extends LaneSignal {
  constructor(
    private readonly broadcast: Broadcast,
    private readonly logger: Logger,
  ) {
    super();
  }

  async wake(webhookId: string): Promise<void> {
    try {
      await this.broadcast.send(webhookWork, webhookId);
    } catch (error) {
      this.logger.warn({ error, webhookId }, 'a wake-up could not be sent; the sweep will find the work');
    }
  }
}
