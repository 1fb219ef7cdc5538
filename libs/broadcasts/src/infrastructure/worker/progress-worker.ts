import { outcomeEventLog } from '#emails';
import type { LoggedEmailEvent } from '#emails';
import { Database } from '#platform/database';
import { EventWorker } from '#platform/events';
import { Timers } from '#platform/timers';
import { Injectable } from '@nestjs/common';
import { RecordProgress } from '../../application/progress/record-progress.use-case.js';

/** Follows the events of emails, and keeps what became of broadcasts. */
@Injectable()
export class ProgressWorker extends EventWorker<LoggedEmailEvent> {
  constructor(database: Database, timers: Timers, recordProgress: RecordProgress) {
    super(database, timers, {
      name: 'broadcast-progress',
      task: 'noting what became of broadcasts',
      log: outcomeEventLog,
      maxBatch: 1_000,
      maxSpan: 50_000,
      handle: (events, transaction) => recordProgress.execute(events, transaction),
    });
  }
}
