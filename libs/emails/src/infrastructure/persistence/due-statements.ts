import { claimed, lockRows, Statement } from '#postgres/database';

/** Below the id of every team. */
export const beforeAll = '00000000-0000-0000-0000-000000000000';
/** Teams that one batch examines: one look-up in the index each. */
const teamsAtOnce = 500;
/** Rows of the previous version that get their team in one batch. */
const maxAdopted = 2_000;

/**
 * Removes emails from the schedule, the longest overdue first. The transaction that deletes the row owns the next step
 * of the email.
 */
export function takeDueStatement(now: Date, limit: number): Statement {
  return {
    name: 'take-due-emails',
    text: `DELETE FROM scheduled_emails
           WHERE ${claimed('email_id', 'FROM scheduled_emails WHERE due_at <= $1 ORDER BY due_at LIMIT $2')}
           RETURNING email_id AS "emailId"`,
    values: [now, limit],
  };
}

/**
 * Removes due emails from the schedule in equal parts of the next teams that have some, and of each the longest
 * overdue. Teams are found along an index, so that the cost does not grow with the mail that waits.
 *
 * Returns at least one row. `lookedAt` is the last team examined, or null if no team follows it.
 */
export function takeInTurnsStatement(now: Date, limit: number, afterTeam: string): Statement {
  return {
    name: 'take-due-emails-in-turns',
    text: `WITH RECURSIVE teams AS (
             (SELECT team_id, due_at, 1 AS no FROM scheduled_emails WHERE team_id > $3 ORDER BY team_id, due_at LIMIT 1)
             UNION ALL
             SELECT next.team_id, next.due_at, teams.no + 1 FROM teams, LATERAL (
               SELECT team_id, due_at FROM scheduled_emails WHERE team_id > teams.team_id ORDER BY team_id, due_at LIMIT 1
             ) next
             WHERE teams.no < ${teamsAtOnce}
           ), having_due AS (
             SELECT team_id FROM teams WHERE due_at <= $1
           ), chosen AS MATERIALIZED (
             SELECT due.email_id FROM having_due t, LATERAL (
               ${lockRows(
                 'email_id',
                 `FROM scheduled_emails WHERE team_id = t.team_id AND due_at <= $1 ORDER BY team_id, due_at
                  LIMIT (SELECT ceil($2::float8 / count(*))::int FROM having_due)`,
               )}
             ) due LIMIT $2
           ), taken AS (
             DELETE FROM scheduled_emails WHERE email_id = ANY (ARRAY(SELECT email_id FROM chosen)) RETURNING email_id
           )
           SELECT taken.email_id AS "emailId", (SELECT team_id FROM teams WHERE no = ${teamsAtOnce}) AS "lookedAt"
           FROM (SELECT) one LEFT JOIN taken ON true`,
    values: [now, limit, afterTeam],
  };
}

/** Gives rows that processes of the previous version have written the team of their email, the longest overdue first. */
export function adoptStatement(now: Date): Statement {
  return {
    name: 'adopt-scheduled-emails',
    text: `UPDATE scheduled_emails s SET team_id = e.team_id FROM emails e
           WHERE e.id = s.email_id AND s.${claimed(
             'email_id',
             `FROM scheduled_emails WHERE team_id IS NULL AND due_at <= $1 ORDER BY team_id, due_at LIMIT ${maxAdopted}`,
           )}`,
    values: [now],
  };
}
