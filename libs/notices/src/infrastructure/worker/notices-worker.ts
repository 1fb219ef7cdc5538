import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { SendNotices } from '../../application/send-notices.use-case.js';

const intervalMs = 5_000;

/** Looks for notices to send. Every worker runs it; a lease keeps a notice from being sent by two. */
@Injectable()
export class NoticesWorker implements OnApplicationBootstrap {
  constructor(
    private readonly sendNotices: SendNotices,
    private readonly timers: Timers,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(intervalMs, 'looking for notices to send', () => this.send());
  }

  private async send(): Promise<void> {
    for (const { key, error } of await this.sendNotices.sendDue()) {
      this.logger.warn({ key, error }, 'a notice could not be sent; it is tried again in ten minutes');
    }
  }
}
