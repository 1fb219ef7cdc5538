/**
 * The beginning of a claim: whether the worker `$2` has the lane `$1`, and how many recipients it may claim now, at most
 * `$4`. `$3` is the retry horizon in milliseconds, `rows` a bound as text.
 *
 * While the lane has a row in `lane_pauses`, its site is not known to be up. Nothing is claimed until the pause ends.
 * After that one recipient is claimed at a time, or those that have waited beyond the horizon and are to be ended. While it
 * has a row in `lane_holds`, the operator has paused it, and nothing at all is claimed.
 */
export function claimRoom(rows: number): string {
  return `mine AS (
        SELECT name FROM lanes WHERE name = $1 AND worker_id = $2 FOR SHARE
      ), pause AS (
        SELECT until, EXISTS (SELECT 1 FROM outbound_queue WHERE lane = $1 AND worker_id = $2) AS is_probing
        FROM lane_pauses WHERE lane = $1
      ), room AS (
        SELECT CASE
          WHEN NOT EXISTS (SELECT 1 FROM mine) THEN 0
          WHEN EXISTS (SELECT 1 FROM lane_holds WHERE lane = $1) THEN 0
          WHEN NOT EXISTS (SELECT 1 FROM pause) THEN $4::int
          WHEN EXISTS (SELECT 1 FROM pause WHERE until > now() OR is_probing) THEN 0
          ELSE (SELECT greatest(1, count(*))::int FROM (
            SELECT 1 FROM outbound_queue
            WHERE lane = $1 AND worker_id IS NULL AND queued_at < now() - $3 * interval '1 millisecond' LIMIT ${rows}
          ) overdue)
        END AS n
      )`;
}
