import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';

/** Other servers send a message again for five days. */
const keptMs = 7 * 86_400_000;

/** Removes receipts that nobody confirmed, since the message was not sent again, and the threads of old messages. */
@Injectable()
export class ReceivedPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now, cutoff }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM received_receipts WHERE digest = ANY (ARRAY(
                 SELECT digest FROM received_receipts WHERE created_at < $1 ORDER BY created_at LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - keptMs)],
      },
      {
        text: `DELETE FROM received_threads WHERE (team_id, message_key) IN (
                 SELECT team_id, message_key FROM received_threads WHERE created_at < $1 ORDER BY created_at LIMIT ${maxRemovedRows})`,
        values: [cutoff],
      },
    ];
  }
}
