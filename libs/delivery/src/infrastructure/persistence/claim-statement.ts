import { Statement } from '#platform/database';

/**
 * Takes what is due in a lane that is the worker's. One row of nulls says that the lane is the worker's and nothing is
 * due; no row at all that the lane is not.
 *
 * The lane's row is locked for the length of the statement, so that it cannot be taken away while something is claimed.
 * The limit is part of the text: one that the planner knows makes it read just so many rows. They are found
 * by the index and changed by their place (ctid): a join would read the whole queue when it is long.
 */
export function claimStatement(lane: string, workerId: string, limit: number): Statement {
  return {
    name: `claim-recipients-${limit}`,
    text: `
      WITH mine AS (
        SELECT name FROM lanes WHERE name = $1 AND worker_id = $2 FOR SHARE
      ), claimed AS (
        UPDATE outbound_queue q SET worker_id = $2, lease = q.lease + 1, attempt = q.attempt + 1
        WHERE q.ctid = ANY (ARRAY(
          SELECT due.ctid FROM outbound_queue due
          WHERE due.lane = $1 AND due.worker_id IS NULL AND due.due_at <= now() AND EXISTS (SELECT 1 FROM mine)
          ORDER BY due.due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))
        RETURNING q.email_id AS "emailId", q.recipient_no AS "recipientNo", q.address, q.size, q.attempt, q.lease,
                  q.queued_at AS "queuedAt"
      )
      SELECT claimed.* FROM mine LEFT JOIN claimed ON true`,
    values: [lane, workerId],
  };
}
