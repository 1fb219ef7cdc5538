import { Statement } from '#platform/database';

/**
 * Claims what is due in a lane. `due_at > queued_at` marks what was tried before; it has an index of its own, so that the
 * two kinds are found without walking over each other's backlog more than once.
 *
 * While the lane's row in `lane_pauses` exists its site is not known to be up: nothing is claimed until the pause ends,
 * and then one recipient at a time, or what has waited for too long and is to be ended.
 */
export function claimStatement(lane: string, workerId: string, limit: number, horizonMs: number): Statement {
  return {
    name: 'claim-recipients',
    text: `
      WITH pause AS (
        SELECT until, EXISTS (SELECT 1 FROM outbound_queue WHERE lane = $1 AND worker_id = $2) AS is_probing
        FROM lane_pauses WHERE lane = $1
      ), room AS (
        SELECT CASE
          WHEN NOT EXISTS (SELECT 1 FROM lanes WHERE name = $1 AND worker_id = $2) THEN 0
          WHEN NOT EXISTS (SELECT 1 FROM pause) THEN $3::int
          WHEN EXISTS (SELECT 1 FROM pause WHERE until > now() OR is_probing) THEN 0
          ELSE (SELECT greatest(1, count(*))::int FROM (
            SELECT 1 FROM outbound_queue
            WHERE lane = $1 AND worker_id IS NULL AND queued_at < now() - $4 * interval '1 millisecond' LIMIT $3
          ) overdue)
        END AS n
      ), retries_due AS (
        SELECT count(*)::int AS n FROM (
          SELECT 1 FROM outbound_queue
          WHERE lane = $1 AND worker_id IS NULL AND due_at <= now() AND due_at > queued_at LIMIT $3::int / 4
        ) sample
      ), fresh AS (
        SELECT email_id, recipient_no FROM outbound_queue
        WHERE lane = $1 AND worker_id IS NULL AND due_at <= now() AND due_at <= queued_at
        ORDER BY due_at
        LIMIT (SELECT CASE WHEN room.n < $3 THEN room.n ELSE room.n - retries_due.n END FROM room, retries_due)
        FOR UPDATE SKIP LOCKED
      ), retries AS (
        SELECT email_id, recipient_no FROM outbound_queue
        WHERE lane = $1 AND worker_id IS NULL AND due_at <= now() AND due_at > queued_at
        ORDER BY due_at LIMIT (SELECT room.n - (SELECT count(*) FROM fresh) FROM room)
        FOR UPDATE SKIP LOCKED
      ), due AS (
        SELECT * FROM fresh UNION ALL SELECT * FROM retries
      )
      UPDATE outbound_queue q SET worker_id = $2, lease = q.lease + 1, attempt = q.attempt + 1 FROM due
      WHERE q.email_id = due.email_id AND q.recipient_no = due.recipient_no
      RETURNING q.email_id AS "emailId", q.recipient_no AS "recipientNo", q.address, q.size, q.attempt, q.lease,
                q.queued_at AS "queuedAt", EXISTS (SELECT 1 FROM pause) AS "isProbe"`,
    values: [lane, workerId, limit, horizonMs],
  };
}
