import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { type UnsubscribeSpan, unsubscribeSpanLog } from '#audience';
import { type EventSpan, outcomeSpanLog } from '#emails';
import { Timers } from '#platform/timers';
import { Database } from '#postgres/database';
import { EventWorker, WorkSearch } from '#postgres/events';
import { Clock } from '#kernel';
import { CountByProvider } from '../../application/count-by-provider.use-case.js';
import { EmailCounters } from '../../application/ports/email-counters.port.js';
import { retentionMs } from '../../domain/metrics-request.js';

/** Positions of one transaction: about a second of work. */
const maxSpan = 20_000;

/** Follows the events of emails, and counts what became of mail by mailbox provider. */
@Injectable()
export class ProviderCountsWorker extends EventWorker<EventSpan> {
  constructor(database: Database, search: WorkSearch, counts: CountByProvider) {
    super(database, search, {
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

/** Follows who unsubscribed, and counts them by mailbox provider. */
@Injectable()
export class ProviderUnsubscribesWorker extends EventWorker<UnsubscribeSpan> {
  constructor(database: Database, search: WorkSearch, counts: CountByProvider) {
    super(database, search, {
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

const intervalMs = 5 * 60_000;
/** After this time no transaction writes to the counters of a quarter of an hour any more. */
const settledMs = 60 * 60_000;

/** Keeps the counters small. Every worker runs it; each skips the rows that another one has locked. */
@Injectable()
export class CounterKeeper implements OnApplicationBootstrap {
  constructor(
    private readonly counters: EmailCounters,
    private readonly clock: Clock,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(intervalMs, 'compacting the counters', () => this.compact());
  }

  private async compact(): Promise<void> {
    const now = this.clock.now().getTime();
    await this.counters.compact(new Date(now - settledMs), new Date(now - retentionMs));
  }
}
