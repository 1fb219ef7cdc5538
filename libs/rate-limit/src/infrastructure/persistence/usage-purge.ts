import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

/** Quotas need only the counters of the current day and month. Older ones are kept for operators. */
const keptDays = 62;
const keptMonthsInDays = 400;
const dayMs = 86_400_000;

/** Removes old counters of days and months. */
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
