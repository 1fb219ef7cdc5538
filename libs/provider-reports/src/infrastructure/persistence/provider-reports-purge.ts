import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

/** As long as our own counters. */
const keptMs = 400 * 86_400_000;

/** Deletes old figures of providers. */
@Injectable()
export class ProviderReportsPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    const day = new Date(now.getTime() - keptMs).toISOString().slice(0, 10);
    return [
      {
        text: `DELETE FROM google_domain_days WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM google_domain_days WHERE day < $1 ORDER BY day LIMIT ${maxRemovedRows}))`,
        values: [day],
      },
      {
        text: `DELETE FROM snds_addresses WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM snds_addresses WHERE day < $1 ORDER BY day LIMIT ${maxRemovedRows}))`,
        values: [day],
      },
    ];
  }
}
