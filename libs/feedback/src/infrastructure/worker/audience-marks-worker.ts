import { refusalEventLog } from '#emails';
import type { LoggedEmailEvent } from '#emails';
import { Database } from '#postgres/database';
import { EventWorker, WorkSearch } from '#postgres/events';
import { Injectable } from '@nestjs/common';
import { MarkAudience } from '../../application/mark-audience.use-case.js';

/** Follows the events of emails, and marks contacts that bounced or complained. */
@Injectable()
export class AudienceMarksWorker extends EventWorker<LoggedEmailEvent> {
  constructor(database: Database, search: WorkSearch, markAudience: MarkAudience) {
    super(database, search, {
      name: 'audience-marks',
      task: 'marking contacts that bounced or complained',
      log: refusalEventLog,
      maxBatch: 200,
      maxSpan: 50_000,
      handle: (events, transaction) => markAudience.mark(events, transaction),
    });
  }
}
