import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ReleaseScheduled } from '../../application/release-scheduled.use-case.js';

/** Due mail leaves within a second: this is what it waits at most. Looking costs one short indexed statement. */
const everyMs = 250;

/** Looks for mail whose time has come, in every worker; what one takes, the others pass over. */
@Injectable()
export class ScheduledEmailsWorker implements OnApplicationBootstrap {
  constructor(
    private readonly releaseScheduled: ReleaseScheduled,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'releasing scheduled mail', () => this.releaseScheduled.execute());
  }
}
