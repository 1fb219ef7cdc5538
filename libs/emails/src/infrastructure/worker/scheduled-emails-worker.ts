import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ReleaseScheduled } from '../../application/release-scheduled.use-case.js';

/** Interval between searches, and so the longest wait of a due email. A search is one short indexed statement. */
const everyMs = 250;

/** Releases due emails, in every worker. Workers skip emails that another worker is releasing. */
@Injectable()
export class ScheduledEmailsWorker implements OnApplicationBootstrap {
  constructor(
    private readonly releaseScheduled: ReleaseScheduled,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'releasing scheduled mail', () => this.releaseScheduled.release());
  }
}
