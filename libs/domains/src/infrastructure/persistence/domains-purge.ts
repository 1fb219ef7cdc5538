import { firstIdAt } from '#kernel';
import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

/** Deletes closed claims that are older than the retention. */
@Injectable()
export class DomainsPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM domain_claims WHERE id = ANY (ARRAY(
                 SELECT id FROM domain_claims
                 WHERE id < $1 AND expires_at < $2 AND status NOT IN ('pending', 'verified', 'blocked')
                 ORDER BY id LIMIT ${maxRemovedRows}))`,
        values: [firstIdAt(cutoff), cutoff],
      },
    ];
  }
}
