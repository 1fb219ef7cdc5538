import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

/** Removes old notices, sent or not. */
@Injectable()
export class NoticesPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM notices WHERE key = ANY (ARRAY(
                 SELECT key FROM notices WHERE created_at < $1 LIMIT ${maxRemovedRows}))`,
        values: [cutoff],
      },
    ];
  }
}
