import { firstIdAt } from '#kernel';
import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

/** As long as the counters that the changes follow from. */
const keptMs = 400 * 86_400_000;
/** A lifted step is remembered for a day, a pace for an hour. */
const idleMs = 30 * 86_400_000;

/** Deletes old changes of the guard, and states without a step. */
@Injectable()
export class ReputationPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM reputation_changes WHERE id = ANY (ARRAY(
                 SELECT id FROM reputation_changes WHERE id < $1 ORDER BY id LIMIT ${maxRemovedRows}))`,
        values: [firstIdAt(new Date(now.getTime() - keptMs))],
      },
      {
        text: `DELETE FROM reputation_guards WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM reputation_guards WHERE step = 'none' AND since < $1 ORDER BY since LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - idleMs)],
      },
    ];
  }
}
