import { Statement } from '#platform/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#platform/retention';
import { Injectable } from '@nestjs/common';

/** Counters of sending are asked for by day and month. Those of the last months tell an operator something. */
const keptDays = 62;
const keptMonthsInDays = 400;
const dayMs = 86_400_000;

/** Removes counters of days and months that nobody asks for any more. */
@Injectable()
export class UsagePurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    const daysAgo = (days: number): string => new Date(now.getTime() - days * dayMs).toISOString();
    return [
      {
        text: `DELETE FROM sending_usage WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM sending_usage
                 WHERE length(period) = 10 AND period < $1 OR length(period) = 7 AND period < $2
                 LIMIT ${maxRemovedRows}))`,
        values: [daysAgo(keptDays).slice(0, 10), daysAgo(keptMonthsInDays).slice(0, 7)],
      },
    ];
  }
}
