import { Statement, storableJson } from '#postgres/database';
import { RecipientChange } from '../../domain/email-events.js';
import { lockedEmails } from './email-locks.js';

/**
 * Changes the states of recipients and numbers their events, for a whole batch in one statement.
 *
 * A recipient in a final state does not change, and gets no event. The exception is `delivered`: it may be followed by
 * a bounce, by a complaint, or by a notice that delivery is delayed, which does not change the state. An email that is
 * `opened` or `clicked` stays so when it is delivered to another recipient. The bounds of the ids let PostgreSQL skip
 * the partitions of other days.
 */
export function changesStatement(changes: readonly RecipientChange[]): Statement {
  const ids = changes.map((change) => change.emailId).sort();
  return {
    name: 'record-recipient-changes',
    text: `
      WITH given AS (
        SELECT * FROM json_to_recordset($1::json) AS c (
          email_id uuid, no smallint, status text, event text, last_event text, data jsonb, at timestamptz)
      ), locked AS MATERIALIZED (${lockedEmails('given')}
      ), change AS MATERIALIZED (
        SELECT given.* FROM given JOIN locked ON locked.id = given.email_id
      ), moved AS (
        UPDATE recipients r SET status = c.status FROM change c
        WHERE r.email_id = c.email_id AND r.no = c.no AND r.email_id BETWEEN $2 AND $3
          AND (r.status = 'queued' OR (r.status = 'delayed' AND c.status <> 'delayed')
               OR (r.status = 'delivered' AND (c.status IN ('complained', 'bounced')
                 OR (c.status = 'delivered' AND c.event = 'email.delivery_delayed'))))
        RETURNING c.*
      ), numbered AS (
        SELECT *, row_number() OVER (PARTITION BY email_id ORDER BY at, no) AS step FROM moved
      ), latest AS (
        SELECT DISTINCT ON (email_id) email_id, last_event, step AS steps FROM numbered ORDER BY email_id, step DESC
      ), counted AS (
        UPDATE emails e SET event_seq = e.event_seq + l.steps,
          last_event = CASE WHEN e.last_event IN ('opened', 'clicked') AND l.last_event IN ('delivered', 'delivery_delayed')
                            THEN e.last_event ELSE l.last_event END
        FROM latest l
        WHERE e.id = l.email_id AND e.id BETWEEN $2 AND $3
        RETURNING e.id, e.event_seq - l.steps AS base
      )
      INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
      SELECT n.email_id, k.base + n.step, n.no, n.at, n.event, n.data FROM numbered n JOIN counted k ON k.id = n.email_id
      ORDER BY n.email_id, n.step`,
    values: [
      storableJson(
        changes.map((change) => ({
          email_id: change.emailId,
          no: change.recipientNo,
          status: change.status,
          event: change.event,
          last_event: change.event.slice('email.'.length),
          data: change.data,
          at: change.at,
        })),
      ),
      ids[0],
      ids[ids.length - 1],
    ],
  };
}
