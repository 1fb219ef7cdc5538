import { firstIdAt } from '#kernel';
import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

/** Reports are compared with those of a year ago, like the counters of `GET /emails/metrics`. */
export const keptDays = 400;
const dayMs = 86_400_000;

/** Deletes old reports and what they counted. */
@Injectable()
export class ReportsPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    const cutoff = new Date(now.getTime() - keptDays * dayMs);
    const day = cutoff.toISOString().slice(0, 10);
    return [
      {
        text: `DELETE FROM domain_reports WHERE id = ANY (ARRAY(
                 SELECT id FROM domain_reports WHERE id < $1 ORDER BY id LIMIT ${maxRemovedRows}))`,
        values: [firstIdAt(cutoff)],
      },
      {
        text: `DELETE FROM dmarc_counts WHERE (domain_id, day, digest) IN (
                 SELECT domain_id, day, digest FROM dmarc_counts WHERE day < $1 ORDER BY day LIMIT ${maxRemovedRows})`,
        values: [day],
      },
      {
        text: `DELETE FROM tls_counts WHERE (domain_id, day, digest) IN (
                 SELECT domain_id, day, digest FROM tls_counts WHERE day < $1 ORDER BY day LIMIT ${maxRemovedRows})`,
        values: [day],
      },
    ];
  }
}
