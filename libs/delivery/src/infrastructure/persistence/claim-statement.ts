import { Statement } from '#platform/database';

/** Recipients of a lane that are due, of one kind, in the order in which they came due; at most `limit`. */
const due = (kind: string, limit: number): string => `
          SELECT ctid, due_at FROM outbound_queue
          WHERE lane = $1 AND worker_id IS NULL AND due_at <= now() AND ${kind}
          ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;

/** A lane that begins claims a few. It uses the text of a large claim, which also takes all that has waited for too long. */
const minRows = 16;
const rowsForFew = 256;

/**
 * Claims what is due in a lane that is the worker's. One row of nulls says that the lane is the worker's and nothing is to
 * be had; no row at all that the lane is not. The lane's row is locked for the length of the statement, so that it cannot
 * be taken away while something is claimed.
 *
 * `due_at > queued_at` marks what was tried before; it has an index of its own, so that the two kinds are found without
 * walking over each other's backlog more than once. The limits are part of the text: ones that the planner knows make it
 * read just so many rows, found by the index and changed by their place (ctid). A join would read the whole queue.
 *
 * While the lane's row in `lane_pauses` exists its site is not known to be up: nothing is claimed until the pause ends,
 * and then one recipient at a time, or what has waited for too long and is to be ended.
 */
export function claimStatement(lane: string, workerId: string, limit: number, horizonMs: number): Statement {
  const rows = limit < minRows ? rowsForFew : limit;
  return {
    name: `claim-recipients-${rows}`,
    text: `
      WITH mine AS (
        SELECT name FROM lanes WHERE name = $1 AND worker_id = $2 FOR SHARE
      ), pause AS (
        SELECT until, EXISTS (SELECT 1 FROM outbound_queue WHERE lane = $1 AND worker_id = $2) AS is_probing
        FROM lane_pauses WHERE lane = $1
      ), room AS (
        SELECT CASE
          WHEN NOT EXISTS (SELECT 1 FROM mine) THEN 0
          WHEN NOT EXISTS (SELECT 1 FROM pause) THEN $4::int
          WHEN EXISTS (SELECT 1 FROM pause WHERE until > now() OR is_probing) THEN 0
          ELSE (SELECT greatest(1, count(*))::int FROM (
            SELECT 1 FROM outbound_queue
            WHERE lane = $1 AND worker_id IS NULL AND queued_at < now() - $3 * interval '1 millisecond' LIMIT ${rows}
          ) overdue)
        END AS n
      ), retries AS MATERIALIZED (${due('due_at > queued_at', rows)}
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
                  q.team_id AS "teamId", q.domain_id AS "domainId", EXISTS (SELECT 1 FROM pause) AS "isProbe"
      )
      SELECT claimed.* FROM mine LEFT JOIN claimed ON true`,
    values: [lane, workerId, horizonMs, limit],
  };
}
