import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ScheduledEmails } from './ports/scheduled-emails.port.js';

/** Emails per transaction: many enough to be efficient, few enough to finish in some tens of milliseconds. */
const batchSize = 500;

/** Releases scheduled emails that are due. */
@Injectable()
export class ReleaseScheduled {
  constructor(
    private readonly scheduled: ScheduledEmails,
    private readonly clock: Clock,
  ) {}

  /** Resolves with the number of released emails, once none is due. */
  async release(): Promise<number> {
    let released = 0;
    for (;;) {
      // A turn of teams with little mail is smaller than a batch, although others have more.
      const count = await this.scheduled.release(this.clock.now(), batchSize);
      if (count === 0) return released;
      released += count;
    }
  }
}
