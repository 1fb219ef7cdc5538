import { Statement } from '#postgres/database';

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

/**
 * The beginning of a claim: whether the worker `$2` has the lane `$1`, and how many recipients it may claim now, at most
 * `$4`. `$3` is the retry horizon in milliseconds, `rows` a bound as text.
 *
 * While the lane has a row in `lane_pauses`, its site is not known to be up. Nothing is claimed until the pause ends.
 * After that one recipient is claimed at a time, or those that have waited beyond the horizon and are to be ended. While it
 * has a row in `lane_holds`, the operator has paused it, and nothing at all is claimed. The lane is searched for a probe
 * only once the pause has ended: that reads all mail that waits, and new mail asks again and again during the pause.
 */
function claimRoom(rows: number): string {
  return `mine AS (
        SELECT name FROM lanes WHERE name = $1 AND worker_id = $2 FOR SHARE
      ), pause AS (
        SELECT until FROM lane_pauses WHERE lane = $1
      ), room AS (
        SELECT CASE
          WHEN NOT EXISTS (SELECT 1 FROM mine) THEN 0
          WHEN EXISTS (SELECT 1 FROM lane_holds WHERE lane = $1) THEN 0
          WHEN NOT EXISTS (SELECT 1 FROM pause) THEN $4::int
          WHEN EXISTS (SELECT 1 FROM pause WHERE until > now()) THEN 0
          WHEN EXISTS (SELECT 1 FROM outbound_queue WHERE lane = $1 AND worker_id = $2) THEN 0
          ELSE (SELECT greatest(1, count(*))::int FROM (
            SELECT 1 FROM outbound_queue
            WHERE lane = $1 AND worker_id IS NULL AND queued_at < now() - $3 * interval '1 millisecond' LIMIT ${rows}
          ) overdue)
        END AS n
      )`;
}

/** Teams that one claim examines, and recipients that it claims for each of them. */
const teamsInTurn = 8;
const recipientsOfEach = 16;

/**
 * Claims some recipients of each of the next teams with transactional mail in a lane of the worker, longest due first.
 * Teams and mail are found along an index, so that the cost does not grow with the mail that waits.
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
        WHERE teams.no < ${teamsInTurn}
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
      SELECT claimed.*, (SELECT team_id FROM teams WHERE no = ${teamsInTurn}) AS "lookedAt"
      FROM mine LEFT JOIN claimed ON true`,
    values: [lane, workerId, afterTeam],
  };
}

/** Below the id of every team. */
const beforeAll = '00000000-0000-0000-0000-000000000000';
/** Teams that one claim examines. */
const teamsAtOnce = 8;
/** Upper bound of recipients in one claim. As a constant it lets the planner read along the index. */
const maxRows = 512;

/**
 * Claims due recipients of bulk mail in a lane of the worker, in equal parts of the next teams that have some, and of
 * each those due for longest. Teams and mail are found along an index, so that the cost does not grow with the mail
 * that waits.
 *
 * Returns at least one row if the worker has the lane. `lookedAt` is the last team examined, or null if no team follows
 * it. A claim that begins in the middle of a round gives each team only an eighth, even if few are left: it has had its
 * part.
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
