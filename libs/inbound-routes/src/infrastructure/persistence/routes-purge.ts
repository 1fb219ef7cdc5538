import { firstIdAt } from '#kernel';
import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

/** Deletes the results of emails that are past the retention. */
@Injectable()
export class RoutesPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM inbound_route_results WHERE (received_id, key) IN (
                 SELECT received_id, key FROM inbound_route_results
                 WHERE received_id < $1 ORDER BY received_id LIMIT ${maxRemovedRows})`,
        values: [firstIdAt(cutoff)],
      },
    ];
  }
}
