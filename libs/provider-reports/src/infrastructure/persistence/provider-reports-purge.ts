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
    return ['google_domain_days', 'snds_addresses'].map((table) => ({
      text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
               SELECT ctid FROM ${table} WHERE day < $1 ORDER BY day LIMIT ${maxRemovedRows}))`,
      values: [day],
    }));
  }
}
