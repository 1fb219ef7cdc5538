import { firstIdAt } from '#kernel';
import { Config } from '#platform/config';
import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

const dayMs = 86_400_000;

/** Removes entries that are older than AUDIT_DAYS. */
@Injectable()
export class AuditPurge extends Purge {
  constructor(
    purges: Purges,
    private readonly config: Config,
  ) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    const cutoff = new Date(now.getTime() - this.config.values.auditDays * dayMs);
    return [
      {
        text: `DELETE FROM audit_entries WHERE id = ANY (ARRAY(
                 SELECT id FROM audit_entries WHERE id < $1 LIMIT ${maxRemovedRows}))`,
        values: [firstIdAt(cutoff)],
      },
    ];
  }
}
