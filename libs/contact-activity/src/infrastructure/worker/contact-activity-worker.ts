import { engagementEventLog } from '#emails';
import type { LoggedEmailEvent } from '#emails';
import { Database } from '#postgres/database';
import { EventWorker } from '#postgres/events';
import { Timers } from '#platform/timers';
import { Injectable } from '@nestjs/common';
import { RecordActivity } from '../../application/record-activity.use-case.js';

/** Follows the events of emails, and keeps when contacts were last active. */
@Injectable()
export class ContactActivityWorker extends EventWorker<LoggedEmailEvent> {
  constructor(database: Database, timers: Timers, recordActivity: RecordActivity) {
    super(database, timers, {
      name: 'contact-activity',
      task: 'noting the activity of contacts',
      log: engagementEventLog,
      maxBatch: 1_000,
      maxSpan: 50_000,
      handle: (events, transaction) => recordActivity.record(events, transaction),
    });
  }
}
