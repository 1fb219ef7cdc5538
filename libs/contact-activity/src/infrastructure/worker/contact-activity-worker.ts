import { engagementEventLog } from '#emails';
import type { LoggedEmailEvent } from '#emails';
import { Database } from '#postgres/database';
import { EventWorker, WorkSearch } from '#postgres/events';
import { Injectable } from '@nestjs/common';
import { RecordActivity } from '../../application/record-activity.use-case.js';

/** Follows the events of emails, and keeps when contacts were last active. */
@Injectable()
export class ContactActivityWorker extends EventWorker<LoggedEmailEvent> {
  constructor(database: Database, search: WorkSearch, recordActivity: RecordActivity) {
    super(database, search, {
      name: 'contact-activity',
      task: 'noting the activity of contacts',
      log: engagementEventLog,
      maxBatch: 1_000,
      maxSpan: 50_000,
      handle: (events, transaction) => recordActivity.record(events, transaction),
    });
  }
}
