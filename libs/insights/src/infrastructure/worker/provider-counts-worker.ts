import { unsubscribeSpanLog } from '#audience';
import type { UnsubscribeSpan } from '#audience';
import { outcomeSpanLog } from '#emails';
import type { EventSpan } from '#emails';
import { Timers } from '#platform/timers';
import { Database } from '#postgres/database';
import { EventWorker } from '#postgres/events';
import { Injectable } from '@nestjs/common';
import { CountByProvider } from '../../application/count-by-provider.use-case.js';

/** Positions of one transaction: about a second of work. */
const maxSpan = 20_000;

/** Follows the events of emails, and counts what became of mail by mailbox provider. */
@Injectable()
export class ProviderCountsWorker extends EventWorker<EventSpan> {
  constructor(database: Database, timers: Timers, counts: CountByProvider) {
    super(database, timers, {
      name: 'provider-counts',
      task: 'counting what became of mail by provider',
      log: outcomeSpanLog,
      // A step reads one row: its span.
      maxBatch: 2,
      maxSpan,
      handle: async ([span], transaction) => {
        if (span !== undefined) await counts.countEmails(span, transaction);
      },
    });
  }
}

/** Follows who unsubscribed. */
@Injectable()
export class ProviderUnsubscribesWorker extends EventWorker<UnsubscribeSpan> {
  constructor(database: Database, timers: Timers, counts: CountByProvider) {
    super(database, timers, {
      name: 'provider-unsubscribes',
      task: 'counting unsubscribes by provider',
      log: unsubscribeSpanLog,
      maxBatch: 2,
      maxSpan,
      handle: async ([span], transaction) => {
        if (span !== undefined) await counts.countUnsubscribes(span, transaction);
      },
    });
  }
}
