import { lockRows, Statement } from '#postgres/database';
import { isSent, Slice, SliceResult } from '../../../application/ports/broadcast-runs.port.js';
import { Pace, pacedUntil } from '../../../domain/fan-out/throttle.js';
import { SkipReason, skipReasons } from '../../../domain/fan-out/reasons.js';

export interface ClaimedPart {
  readonly wave: number;
  readonly part: number;
  readonly ids: string[];
  readonly variants: number[];
}

/**
 * The next contacts of a part of a wave that no other worker has locked. The lock of the part is the claim: `position`
 * is read once it is held, and it ends with the transaction, even if the process dies.
 */
export function claimStatement(broadcastId: string, limit: number, now: Date): Statement {
  return {
    name: 'claim-broadcast-slice',
    text: `WITH part AS MATERIALIZED (
             ${lockRows(
               'wave, part, position',
               `FROM broadcast_waves WHERE broadcast_id = $1 AND ended_at IS NULL AND release_at <= $2
                ORDER BY release_at, turn_at, wave, part LIMIT 1`,
             )}
           ), next AS MATERIALIZED (
             SELECT a.contact_id, coalesce(a.variant, r.winner, 0) AS variant
             FROM part p CROSS JOIN LATERAL (
               SELECT contact_id, variant FROM broadcast_audience
               WHERE broadcast_id = $1 AND wave = p.wave AND part = p.part AND contact_id > p.position
               ORDER BY contact_id LIMIT $3
             ) a LEFT JOIN broadcast_runs r ON r.broadcast_id = $1
           )
           SELECT wave, part, ARRAY(SELECT contact_id::text FROM next ORDER BY contact_id) AS ids,
                  ARRAY(SELECT variant FROM next ORDER BY contact_id) AS variants
           FROM part`,
    values: [broadcastId, now, limit],
  };
}

/**
 * Adds rows and never changes one, so that a recipient costs one entry in each index. A suppressed recipient is counted
 * when the event of its email is read, like everything else that happens to emails.
 */
export function resultsStatement(
  { broadcastId, teamId }: { readonly broadcastId: string; readonly teamId: string },
  tested: Slice | undefined,
  results: readonly SliceResult[],
  now: Date,
): Statement {
  const variants = variantsOf(tested);
  const kept = results.flatMap((result) => ('email' in result ? [result] : []));
  return {
    name: 'record-broadcast-slice',
    text: `WITH given AS (
             SELECT * FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::text[], $8::smallint[])
               AS g (contact_id, email, email_id, reason, variant)
           ), written AS (
             INSERT INTO broadcast_recipients (broadcast_id, contact_id, team_id, email, email_id, outcome, reason, variant)
             SELECT $1, contact_id, $2, email, email_id, CASE WHEN reason IS NULL THEN 'accepted' ELSE 'skipped' END, reason, variant
             FROM given
           )
           INSERT INTO broadcast_results (broadcast_id, kind, contact_id, first_at)
           SELECT $1, 'sent', contact_id, $7 FROM given WHERE reason IS NULL`,
    values: [
      broadcastId,
      teamId,
      kept.map(({ contactId }) => contactId),
      kept.map(({ email }) => email),
      kept.map((result) => ('emailId' in result ? result.emailId : null)),
      kept.map(({ reason }) => reason ?? null),
      now,
      kept.map(({ contactId }) => variants.get(contactId) ?? null),
    ],
  };
}

/** The subject that each contact of a test got. */
function variantsOf(tested: Slice | undefined): ReadonlyMap<string, number> {
  return new Map(tested?.contactIds.map((contactId, no) => [contactId, tested.variants[no] ?? 0]));
}

/** Runs after the progress update, to keep the lock order. */
export function subjectsStatement(slice: Slice, results: readonly SliceResult[]): Statement {
  const variants = variantsOf(slice);
  return {
    name: 'count-broadcast-subjects',
    text: `INSERT INTO broadcast_subjects AS s (broadcast_id, variant, sent)
           SELECT $1, variant, count(*) FROM unnest($2::smallint[]) AS v (variant) GROUP BY variant ORDER BY variant
           ON CONFLICT (broadcast_id, variant) DO UPDATE SET sent = s.sent + EXCLUDED.sent`,
    values: [slice.broadcastId, results.filter(isSent).map(({ contactId }) => variants.get(contactId) ?? 0)],
  };
}

export function positionStatement({ broadcastId, wave, part, contactIds, isLast }: Slice, now: Date): Statement {
  return {
    name: 'move-broadcast-part',
    text: `UPDATE broadcast_waves SET position = coalesce($4::uuid, position), turn_at = $5,
             ended_at = CASE WHEN $6::boolean THEN $5::timestamptz END
           WHERE broadcast_id = $1 AND wave = $2 AND part = $3`,
    values: [broadcastId, wave, part, contactIds.at(-1) ?? null, now, isLast],
  };
}

/** Contacts that get nothing do not count against the throttle. */
export function paceStatement(broadcastId: string, pace: Pace, results: readonly SliceResult[]): Statement {
  const emails = results.filter(isSent).length;
  return {
    name: 'pace-broadcast',
    text: 'UPDATE broadcast_runs SET paced_until = $2 WHERE broadcast_id = $1',
    values: [broadcastId, pacedUntil(pace, emails)],
  };
}

/** A slice that was made ends a row of unexpected errors. Usually there is none, and nothing is written. */
export function recoveryStatement(broadcastId: string): Statement {
  return {
    name: 'end-broadcast-troubles',
    text: 'UPDATE broadcast_runs SET troubles = 0 WHERE broadcast_id = $1 AND troubles > 0',
    values: [broadcastId],
  };
}

/** Among the last statements of a slice: all slices of a broadcast and the reader of its events write this row. */
export function progressStatement(broadcastId: string, results: readonly SliceResult[], now: Date): Statement {
  const skipped = new Map<SkipReason, number>(skipReasons.map((reason) => [reason, 0]));
  for (const result of results) {
    if (result.reason !== undefined) skipped.set(result.reason, (skipped.get(result.reason) ?? 0) + 1);
  }
  const allSkipped = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  return {
    name: 'count-broadcast-slice',
    text: `UPDATE broadcast_progress SET
             accepted = accepted + $2, sent = sent + $2, skipped = skipped + $3,
             skipped_unsubscribed = skipped_unsubscribed + $4, skipped_not_subscribed = skipped_not_subscribed + $5,
             skipped_suppressed = skipped_suppressed + $6, skipped_deleted = skipped_deleted + $7,
             skipped_invalid = skipped_invalid + $8, updated_at = $9
           WHERE broadcast_id = $1`,
    values: [
      broadcastId,
      results.length - allSkipped,
      allSkipped,
      ...skipReasons.map((reason) => skipped.get(reason)),
      now,
    ],
  };
}

/** Emails are counted for the quarter of an hour in which they were accepted, as those of single mail are. */
export function countersStatement(
  work: { readonly broadcastId: string; readonly teamId: string; readonly domainId: string },
  results: readonly SliceResult[],
  now: Date,
): Statement {
  return {
    name: 'count-broadcast-emails',
    text: `INSERT INTO broadcast_counters AS c (team_id, broadcast_id, quarter, domain_id, sent)
           VALUES ($1, $2, date_bin('15 minutes', $3::timestamptz, 'epoch'::timestamptz), $4, $5)
           ON CONFLICT (team_id, broadcast_id, quarter)
             DO UPDATE SET sent = c.sent + EXCLUDED.sent`,
    values: [work.teamId, work.broadcastId, now, work.domainId, results.filter(isSent).length],
  };
}
