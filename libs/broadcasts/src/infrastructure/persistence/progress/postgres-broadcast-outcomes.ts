import { Clock, Transaction } from '#kernel';
import { statementsOf, storableJson } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { BroadcastEvent, BroadcastOutcomes } from '../../../application/ports/broadcast-outcomes.port.js';
import { addCounters, addProgress, addResults, addSubjects } from './statistics-statements.js';

@Injectable()
export class PostgresBroadcastOutcomes extends BroadcastOutcomes {
  constructor(private readonly clock: Clock) {
    super();
  }

  /** The counters come last, because slices of the same broadcasts write them too. */
  async add(events: readonly BroadcastEvent[], transaction: Transaction): Promise<void> {
    const statements = statementsOf(transaction);
    const added = await statements.query<{ variant: number | null; fresh: number }>({
      name: 'add-broadcast-results',
      text: addResults,
      values: [
        storableJson(
          events.map(({ emailId, kind, createdAt, isMachine, bounceType, link }) => ({
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
