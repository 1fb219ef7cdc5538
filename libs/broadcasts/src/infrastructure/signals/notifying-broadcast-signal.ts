import { Broadcast as ProcessBroadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { Injectable } from '@nestjs/common';
import { BroadcastSignal } from '../../application/ports/broadcast-signal.port.js';
import { broadcastWork } from '../../application/fan-out/broadcast-work.js';

/** One notification for a broadcast, never one for an email. */
@Injectable()
export class NotifyingBroadcastSignal extends BroadcastSignal {
  constructor(
    private readonly processes: ProcessBroadcast,
    private readonly logger: Logger,
  ) {
    super();
  }

  started(broadcastId: string): void {
    this.processes
      .send(broadcastWork, broadcastId)
      .catch((error: unknown) =>
        this.logger.warn({ error, broadcastId }, 'a wake-up was lost; the sweep finds the work'),
      );
  }
}
