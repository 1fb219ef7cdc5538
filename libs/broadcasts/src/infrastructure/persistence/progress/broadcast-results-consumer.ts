import { outcomeEventLog } from '#emails';
import type { LoggedEmailEvent } from '#emails';
import { Clock, Transaction } from '#kernel';
import { Database, statementsOf, storableJson } from '#postgres/database';
import { EventWorker, WorkSearch } from '#postgres/events';
import { Injectable } from '@nestjs/common';
import { broadcastEvents, EventOfEmail } from '../../../domain/broadcast-events.js';
import { addCounters, addProgress, addResults, addSubjects } from './statistics-statements.js';

/**
 * Follows the events of emails, and counts the results of broadcasts: for each recipient, for each link, and in
 * numbers.
 */
@Injectable()
export class BroadcastResultsConsumer extends EventWorker<LoggedEmailEvent> {
  constructor(
    database: Database,
    search: WorkSearch,
    private readonly clock: Clock,
  ) {
    super(database, search, {
      name: 'broadcast-progress',
      task: 'counting the results of broadcasts',
      log: {
        ...outcomeEventLog,
        text: `SELECT * FROM (${outcomeEventLog.text}) e
               WHERE EXISTS (SELECT FROM broadcast_recipients)
                 AND EXISTS (SELECT FROM broadcast_recipients r WHERE r.email_id = e."emailId")
               ORDER BY position`,
      },
      maxBatch: 1_000,
      maxSpan: 50_000,
      handle: (events, transaction) => this.count(events, transaction),
    });
  }

  /**
   * Takes few statements however many events there are. Events of mail that belongs to no broadcast are ignored. The
   * counters come last, because slices of the same broadcasts write them too.
   */
  private async count(events: readonly EventOfEmail[], transaction: Transaction): Promise<void> {
    const counted = broadcastEvents(events);
    if (counted.length === 0) return;
    const statements = statementsOf(transaction);
    const added = await statements.query<{ variant: number | null; fresh: number }>({
      name: 'add-broadcast-results',
      text: addResults,
      values: [
        storableJson(
          counted.map(({ emailId, kind, createdAt, isMachine, bounceType, link }) => ({
            email_id: emailId,
            kind,
            at: createdAt,
            machine: isMachine,
            bounce_type: bounceType,
            link,
          })),
        ),
      ],
    });
    if (added.length === 0) return;
    const rows = JSON.stringify(added);
    const isTested = added.some(({ variant, fresh }) => variant !== null && fresh > 0);
    await Promise.all([
      statements.execute({ name: 'add-broadcast-counters', text: addCounters, values: [rows] }),
      statements.execute({ name: 'add-broadcast-progress', text: addProgress, values: [rows, this.clock.now()] }),
      isTested && statements.execute({ name: 'add-broadcast-subjects', text: addSubjects, values: [rows] }),
    ]);
  }
}
