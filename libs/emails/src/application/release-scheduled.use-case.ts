import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ScheduledEmails } from './ports/scheduled-emails.port.js';

/** Emails of one transaction: large enough to be cheap, small enough to be over in some tens of milliseconds. */
const batchSize = 500;

/** Sends on the emails whose time has come. */
@Injectable()
export class ReleaseScheduled {
  constructor(
    private readonly scheduled: ScheduledEmails,
    private readonly clock: Clock,
  ) {}

  /** Resolves with how many, once none is due. */
  async execute(): Promise<number> {
    let released = 0;
    for (;;) {
      const count = await this.scheduled.release(this.clock.now(), batchSize);
      released += count;
      if (count < batchSize) return released;
    }
  }
}
