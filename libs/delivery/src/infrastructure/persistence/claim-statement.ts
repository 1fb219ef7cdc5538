import { Statement } from '#platform/database';
import { claimRoom } from './claim-room.js';

/** Due recipients of transactional mail of a lane, of one kind, in the order in which they became due; at most `limit`. */
const due = (kind: string, limit: number): string => `
          SELECT ctid, due_at FROM outbound_queue
          WHERE lane = $1 AND worker_id IS NULL AND due_at <= now() AND is_bulk IS NULL AND ${kind}
          ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;

/**
 * Smallest limit with a statement of its own. A lane that starts claims fewer. It uses the statement of a large claim,
 * which also claims recipients that have waited beyond the horizon.
 */
const minRows = 16;
const rowsForFew = 256;

/**
 * Claims due recipients of transactional mail in a lane of the worker. One row of nulls means that the worker has the lane
 * but nothing can be claimed; no row means that the worker does not have the lane. The lane's row is locked for the length
 * of the statement, so that the lane cannot be taken away during the claim.
 *
 * `due_at > queued_at` marks retries. They have an index of their own, so that retries and new mail are found without
 * scanning each other's backlog more than once. Bulk mail is in neither of these indexes; whether some is due is one
 * look-up. The limits are part of the SQL text: with constants, the planner reads only that many rows by the index and
 * updates them by their place (ctid). A join would read the whole queue.
 */
export function claimStatement(lane: string, workerId: string, limit: number, horizonMs: number): Statement {
  const rows = limit < minRows ? rowsForFew : limit;
  return {
    name: `claim-recipients-${rows}`,
    text: `
      WITH ${claimRoom(rows)}
      , retries AS MATERIALIZED (${due('due_at > queued_at', rows)}
      ), fresh AS MATERIALIZED (${due('due_at <= queued_at', rows)}
      ), chosen_fresh AS (
        SELECT ctid FROM fresh ORDER BY due_at
        LIMIT (SELECT CASE WHEN n < ${rows} THEN n ELSE n - least((SELECT count(*) FROM retries), ${rows} / 4) END FROM room)
      ), chosen AS (
        SELECT ctid FROM chosen_fresh
        UNION ALL
        (SELECT ctid FROM retries ORDER BY due_at
         LIMIT (SELECT greatest(0, n - (SELECT count(*) FROM chosen_fresh)) FROM room))
      ), claimed AS (
        UPDATE outbound_queue q SET worker_id = $2, lease = q.lease + 1, attempt = q.attempt + 1
        WHERE q.ctid = ANY (ARRAY(SELECT ctid FROM chosen))
        RETURNING q.email_id AS "emailId", q.recipient_no AS "recipientNo", q.address, q.size, q.attempt, q.lease,
                  q.queued_at AS "queuedAt",
                  q.team_id AS "teamId", q.domain_id AS "domainId", q.mail_from AS "mailFrom",
                  q.is_personal AS "isPersonal", EXISTS (SELECT 1 FROM pause) AS "isProbe"
      )
      SELECT claimed.*, (
        SELECT true FROM outbound_queue WHERE lane = $1 AND is_bulk AND worker_id IS NULL AND due_at <= now()
        ORDER BY due_at LIMIT 1
      ) AS "isBulkDue"
      FROM mine LEFT JOIN claimed ON true`,
    values: [lane, workerId, horizonMs, limit],
  };
}
