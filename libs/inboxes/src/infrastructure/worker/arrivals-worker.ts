import { LeasedWork, WorkHost } from '#queue/leases';
import { Injectable } from '@nestjs/common';
import { FileArrivals, maxFilings } from '../../application/file-arrivals.use-case.js';
import { InboxArrival } from '../../application/ports/arrival-queue.port.js';

/** Looks for received mail that belongs into inboxes. */
@Injectable()
export class ArrivalsWorker extends LeasedWork<InboxArrival> {
  constructor(
    host: WorkHost,
    private readonly filing: FileArrivals,
  ) {
    super(host, {
      task: 'putting received mail into inboxes',
      found: '(SELECT min(due_at) FROM inbox_arrivals) <= $1',
      everyMs: 500,
      maxLeases: maxFilings,
    });
  }

  protected claim(limit: number): Promise<readonly InboxArrival[]> {
    return this.filing.claim(limit);
  }

  protected work(arrival: InboxArrival): Promise<void> {
    return this.filing.file(arrival);
  }
}
