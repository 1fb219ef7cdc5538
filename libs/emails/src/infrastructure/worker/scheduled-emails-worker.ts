import { WorkSearch } from '#postgres/events';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ReleaseScheduled } from '../../application/release-scheduled.use-case.js';

const due = '(SELECT min(due_at) FROM scheduled_emails) <= $1';
/** A look finds due emails, so they wait for the next one at most. */
const pauseMs = 100;

/** Releases due emails, in every worker. Workers skip emails that another worker is releasing. */
@Injectable()
export class ScheduledEmailsWorker implements OnApplicationBootstrap {
  constructor(
    private readonly releaseScheduled: ReleaseScheduled,
    private readonly search: WorkSearch,
  ) {}

  onApplicationBootstrap(): void {
    this.search.every(pauseMs, 'releasing scheduled mail', due, () => this.releaseScheduled.release());
  }
}
