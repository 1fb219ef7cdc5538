import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ScheduledEmails } from './ports/outbound-queue.port.js';

/** Emails per transaction: many enough to be efficient, few enough to finish in some tens of milliseconds. */
const batchSize = 500;
/** A stop of the program waits for one run, so a run ends after some seconds. */
const maxBatches = 50;

/** Releases scheduled emails that are due. */
@Injectable()
export class ReleaseScheduled {
  constructor(
    private readonly scheduled: ScheduledEmails,
    private readonly clock: Clock,
  ) {}

  /**
   * Releases what is due now, and resolves with the number of emails. Mail that comes due meanwhile is gathered for the
   * next run, so that it does not cost a transaction for each few.
   */
  async release(): Promise<number> {
    let released = 0;
    for (let batch = 0; batch < maxBatches; batch++) {
      const count = await this.scheduled.release(this.clock.now(), batchSize);
      released += count;
      if (count < batchSize) break;
    }
    return released;
  }
}
