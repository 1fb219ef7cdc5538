import { Statement } from '#platform/database';

/** Teams that one claim examines, and recipients that it claims for each of them. */
const teamsAtOnce = 8;
const recipientsOfEach = 16;

/**
 * Claims some recipients of each of the next teams with transactional mail in a lane of the worker, longest due first. Teams and mail
 * are found along an index, so that the cost does not grow with the mail that waits.
 *
 * Returns at least one row if the worker has the lane. `lookedAt` is the last team examined, or null if no team follows
 * it. Nothing is claimed in a paused lane.
 */
export function claimInTurnsStatement(lane: string, workerId: string, afterTeam: string): Statement {
  return {
    name: 'claim-in-turns',
    text: `
      WITH RECURSIVE mine AS (
        SELECT name FROM lanes WHERE name = $1 AND worker_id = $2 FOR SHARE
      ), teams AS (
        (SELECT team_id, 1 AS no FROM outbound_queue WHERE lane = $1 AND is_bulk IS NULL AND team_id > $3 ORDER BY lane, team_id LIMIT 1)
        UNION ALL
        SELECT next.team_id, teams.no + 1 FROM teams, LATERAL (
          SELECT team_id FROM outbound_queue WHERE lane = $1 AND is_bulk IS NULL AND team_id > teams.team_id
          ORDER BY lane, team_id LIMIT 1
        ) next
        WHERE teams.no < ${teamsAtOnce}
      ), due AS MATERIALIZED (
        SELECT d.place FROM teams, LATERAL (
          SELECT ctid AS place FROM outbound_queue
          WHERE lane = $1 AND team_id = teams.team_id AND is_bulk IS NULL AND worker_id IS NULL AND due_at <= now()
          ORDER BY due_at LIMIT ${recipientsOfEach} FOR UPDATE SKIP LOCKED
        ) d
        WHERE EXISTS (SELECT 1 FROM mine) AND NOT EXISTS (SELECT 1 FROM lane_pauses WHERE lane = $1)
          AND NOT EXISTS (SELECT 1 FROM lane_holds WHERE lane = $1)
      ), claimed AS (
        UPDATE outbound_queue q SET worker_id = $2, lease = q.lease + 1, attempt = q.attempt + 1
        WHERE q.ctid = ANY (ARRAY(SELECT place FROM due))
        RETURNING q.email_id AS "emailId", q.recipient_no AS "recipientNo", q.address, q.size, q.attempt, q.lease,
                  q.queued_at AS "queuedAt", q.team_id AS "teamId", q.domain_id AS "domainId",
                  q.mail_from AS "mailFrom", q.is_personal AS "isPersonal"
      )
      SELECT claimed.*, (SELECT team_id FROM teams WHERE no = ${teamsAtOnce}) AS "lookedAt"
      FROM mine LEFT JOIN claimed ON true`,
    values: [lane, workerId, afterTeam],
  };
}
