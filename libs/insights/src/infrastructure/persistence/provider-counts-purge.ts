import { firstIdAt } from '#kernel';
import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';
import { retentionMs } from '../../domain/metrics-request.js';

/** The guard of reputations looks back for days, not for months. */
const hoursKeptMs = 30 * 86_400_000;

/** Deletes old counters of mailbox providers, and before them the replies of emails that are gone. */
@Injectable()
export class ProviderCountsPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now, cutoff }: PurgeMoment): readonly Statement[] {
    return [
      // What a reply says about a recipient is kept no longer than the email. The counts stay.
      {
        text: `UPDATE provider_counts SET reply = NULL, email_id = NULL WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM provider_counts WHERE email_id < $1 ORDER BY email_id LIMIT ${maxRemovedRows}))`,
        values: [firstIdAt(cutoff)],
      },
      {
        text: `DELETE FROM provider_counts WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM provider_counts WHERE day < $1 ORDER BY day LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - retentionMs).toISOString().slice(0, 10)],
      },
      {
        text: `DELETE FROM provider_hours WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM provider_hours WHERE hour < $1 ORDER BY hour LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - hoursKeptMs)],
      },
    ];
  }
}
