import { type EventSpan, engagementSpanLog } from '#emails';
import { Database } from '#postgres/database';
import { EventWorker, WorkSearch } from '#postgres/events';
import { Injectable } from '@nestjs/common';
import { RecordActivity } from '../../application/record-activity.use-case.js';

/** Follows the events of emails, and keeps when contacts were last active. */
@Injectable()
export class ContactActivityWorker extends EventWorker<EventSpan> {
  constructor(database: Database, search: WorkSearch, recordActivity: RecordActivity) {
    super(database, search, {
      name: 'contact-activity',
      task: 'noting the activity of contacts',
      log: engagementSpanLog,
      // A step reads one row: its span.
      maxBatch: 2,
      maxSpan: 5_000,
      handle: async ([span], transaction) => {
        if (span !== undefined) await recordActivity.record(span, transaction);
      },
    });
  }
}
