import { firstIdAt } from '#kernel';
import { Statement } from '#postgres/database';
import { maxRemovedRows, Purge, PurgeMoment, Purges } from '#postgres/retention';
import { Injectable } from '@nestjs/common';
import { hourOf } from '../../domain/warm-up.js';

/** As long as the counters that the changes follow from. */
const keptMs = 400 * 86_400_000;
/** A lifted step is remembered for a day, a pace for an hour. */
const idleMs = 30 * 86_400_000;

/** Deletes old changes of the guard, states without a step, and warm-ups that have ended. Those of deleted domains end. */
@Injectable()
export class ReputationPurge extends Purge {
  constructor(purges: Purges) {
    super(purges);
  }

  override leftovers({ now }: PurgeMoment): readonly Statement[] {
    return [
      {
        text: `DELETE FROM reputation_changes WHERE id = ANY (ARRAY(
                 SELECT id FROM reputation_changes WHERE id < $1 ORDER BY id LIMIT ${maxRemovedRows}))`,
        values: [firstIdAt(new Date(now.getTime() - keptMs))],
      },
      {
        text: `DELETE FROM reputation_guards WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM reputation_guards WHERE step = 'none' AND since < $1 ORDER BY since LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - idleMs)],
      },
      // A provider that got nothing for so long has forgotten the domain: it begins again.
      {
        text: `DELETE FROM warm_up_providers WHERE ctid = ANY (ARRAY(
                 SELECT ctid FROM warm_up_providers WHERE NOT is_done AND hour < $1 ORDER BY hour LIMIT ${maxRemovedRows}))`,
        values: [hourOf(new Date(now.getTime() - idleMs))],
      },
      // The providers of an ended warm-up, then the warm-up, whose end stays known until then.
      {
        text: `DELETE FROM warm_up_providers WHERE ctid = ANY (ARRAY(
                 SELECT p.ctid FROM warm_ups w JOIN warm_up_providers p ON p.domain_id = w.domain_id
                 WHERE w.ended_at < $1 LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - idleMs)],
      },
      {
        text: `DELETE FROM warm_ups WHERE ctid = ANY (ARRAY(
                 SELECT w.ctid FROM warm_ups w WHERE w.ended_at < $1
                   AND NOT EXISTS (SELECT FROM warm_up_providers p WHERE p.domain_id = w.domain_id)
                 LIMIT ${maxRemovedRows}))`,
        values: [new Date(now.getTime() - idleMs)],
      },
      {
        text: `UPDATE warm_ups SET ended_at = $1 WHERE ctid = ANY (ARRAY(
                 SELECT w.ctid FROM warm_ups w WHERE w.ended_at IS NULL
                   AND NOT EXISTS (SELECT FROM published_domains d WHERE d.id = w.domain_id)
                 LIMIT ${maxRemovedRows}))`,
        values: [now],
      },
    ];
  }
}
