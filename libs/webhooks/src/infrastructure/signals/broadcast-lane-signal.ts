import { Broadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { Injectable } from '@nestjs/common';
import { webhookWork } from '../../application/webhook-work.js';
import { LaneSignal } from '../../application/ports/lane-signal.port.js';

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
