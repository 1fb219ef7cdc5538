import { Statement } from '#platform/database';
import { claimRoom } from './claim-room.js';

/** Below the id of every team. */
const beforeAll = '00000000-0000-0000-0000-000000000000';
/** Teams that one claim examines. */
const teamsAtOnce = 8;
/** Upper bound of recipients in one claim. As a constant it lets the planner read along the index. */
const maxRows = 512;

/**
 * Claims due recipients of bulk mail in a lane of the worker, in equal parts of the next teams that have some, and of each
 * those due for longest. Teams and mail are found along an index, so that the cost does not grow with the mail that waits.
 *
 * Returns at least one row if the worker has the lane. `lookedAt` is the last team examined, or null if no team follows
 * it. A claim that begins in the middle of a round gives each team only an eighth, even if few are left: it has had its part.
 */
export function claimBulkStatement(
  { lane, workerId, limit, afterTeam }: { lane: string; workerId: string; limit: number; afterTeam?: string },
  horizonMs: number,
): Statement {
  return {
    name: 'claim-bulk',
    text: `
      WITH RECURSIVE ${claimRoom(maxRows)}, teams AS (
        (SELECT team_id, 1 AS no FROM outbound_queue WHERE lane = $1 AND is_bulk AND team_id > $5
         ORDER BY lane, team_id LIMIT 1)
        UNION ALL
        SELECT next.team_id, teams.no + 1 FROM teams, LATERAL (
          SELECT team_id FROM outbound_queue WHERE lane = $1 AND is_bulk AND team_id > teams.team_id
          ORDER BY lane, team_id LIMIT 1
        ) next
        WHERE teams.no < ${teamsAtOnce}
      ), part AS (
        SELECT ceil(n::float8 / CASE WHEN $5 = '${beforeAll}' THEN (SELECT count(*) FROM teams) ELSE ${teamsAtOnce} END)::int AS n
        FROM room WHERE EXISTS (SELECT 1 FROM teams)
      ), due AS MATERIALIZED (
        SELECT d.place FROM teams, LATERAL (
          SELECT place FROM (
            SELECT ctid AS place FROM outbound_queue
            WHERE lane = $1 AND team_id = teams.team_id AND is_bulk AND worker_id IS NULL AND due_at <= now()
            ORDER BY due_at LIMIT ${maxRows} FOR UPDATE SKIP LOCKED
          ) first LIMIT (SELECT n FROM part)
        ) d
        WHERE (SELECT n FROM room) > 0
        LIMIT (SELECT n FROM room)
      ), claimed AS (
        UPDATE outbound_queue q SET worker_id = $2, lease = q.lease + 1, attempt = q.attempt + 1
        WHERE q.ctid = ANY (ARRAY(SELECT place FROM due))
        RETURNING q.email_id AS "emailId", q.recipient_no AS "recipientNo", q.address, q.size, q.attempt, q.lease,
                  q.queued_at AS "queuedAt", q.team_id AS "teamId", q.domain_id AS "domainId",
                  q.mail_from AS "mailFrom", q.is_personal AS "isPersonal", q.is_bulk AS "isBulk",
                  EXISTS (SELECT 1 FROM pause) AS "isProbe"
      )
      SELECT claimed.*, (SELECT team_id FROM teams WHERE no = ${teamsAtOnce}) AS "lookedAt"
      FROM mine LEFT JOIN claimed ON true`,
    values: [lane, workerId, horizonMs, limit, afterTeam ?? beforeAll],
  };
}
