import { firstIdAt } from '#kernel';
import { Statement } from '#platform/database';

/** Rows removed by one statement: none holds its locks for more than some milliseconds. */
export const leftoversAtOnce = 5_000;

/** Counters of sending are asked for by day and month. Those of the last months tell an operator something. */
const usageDays = 62;
const usageMonths = 400;

const dayMs = 86_400_000;

/**
 * What grows and is in no partition. Elsewhere: idempotency keys and the sandbox's inbox have sweepers of their own, lanes
 * and workers end with their process, rate windows are one row a team, links are signed and stored nowhere.
 */
export function leftovers(now: Date, cutoff: Date): readonly Statement[] {
  const daysAgo = (days: number): string => new Date(now.getTime() - days * dayMs).toISOString();
  return [
    {
      text: `DELETE FROM sending_usage WHERE ctid = ANY (ARRAY(
               SELECT ctid FROM sending_usage
               WHERE length(period) = 10 AND period < $1 OR length(period) = 7 AND period < $2
               LIMIT ${leftoversAtOnce}))`,
      values: [daysAgo(usageDays).slice(0, 10), daysAgo(usageMonths).slice(0, 7)],
    },
    {
      text: `DELETE FROM domain_claims WHERE id = ANY (ARRAY(
               SELECT id FROM domain_claims
               WHERE id < $1 AND expires_at < $2 AND status NOT IN ('pending', 'verified', 'blocked')
               ORDER BY id LIMIT ${leftoversAtOnce}))`,
      values: [firstIdAt(cutoff), cutoff],
    },
    {
      text: `DELETE FROM notices WHERE key = ANY (ARRAY(
               SELECT key FROM notices WHERE created_at < $1 LIMIT ${leftoversAtOnce}))`,
      values: [cutoff],
    },
    // A pause ends with the first message that goes through; where no message comes any more, it ends here.
    {
      text: `DELETE FROM lane_pauses WHERE lane = ANY (ARRAY(
               SELECT lane FROM lane_pauses p
               WHERE until < now() - interval '1 day' AND NOT EXISTS (SELECT 1 FROM outbound_queue q WHERE q.lane = p.lane)
               LIMIT ${leftoversAtOnce}))`,
    },
  ];
}
