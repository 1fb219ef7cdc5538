import { Injectable } from '@nestjs/common';
import { Transaction } from '#kernel';
import { boundsOf, Statement, statementsOf, storableJson } from '#postgres/database';
import { EmailEngagements, EmailRecipient } from '../../application/ports/email-repository.port.js';
import { Engagement, maxEngagements } from '../../domain/email-events.js';
import { lockedEmails } from './email-locks.js';

/** Maximum value of a counter of a recipient. It fits into a smallint. */
const maxCounter = 30_000;

/**
 * Returns one row per recipient, in order. The event of a delivery is among the first events of its email, so the
 * search in order of numbers ends soon, even for an email that was opened often.
 */
function deliveryTimesStatement(recipients: readonly EmailRecipient[]): Statement {
  return {
    name: 'delivery-times',
    text: `SELECT (SELECT v.created_at FROM email_events v
                   WHERE v.email_id = w.email_id AND v.recipient_no = w.no AND v.type = 'email.delivered'
                   ORDER BY v.seq LIMIT 1) AS "deliveredAt"
           FROM unnest($1::uuid[], $2::smallint[]) WITH ORDINALITY AS w (email_id, no, position) ORDER BY w.position`,
    values: [recipients.map(({ emailId }) => emailId), recipients.map(({ recipientNo }) => recipientNo)],
  };
}

/**
 * Counts, numbers and writes opens and clicks for a whole batch in one statement. The counters of a recipient limit its
 * events. The event numbers come from the counter of the email, whose row is locked first.
 */
function engagementsStatement(engagements: readonly Engagement[]): Statement {
  return {
    name: 'record-engagements',
    text: `
      WITH given AS (
        SELECT * FROM json_to_recordset($1::json) AS h (
          position int, email_id uuid, no smallint, kind text, event text, data jsonb, at timestamptz)
      ), locked AS MATERIALIZED (${lockedEmails('given')}
      ), happened AS MATERIALIZED (
        SELECT given.*, row_number() OVER (PARTITION BY email_id, no, kind ORDER BY position) AS nth
        FROM given JOIN locked ON locked.id = given.email_id
      ), gained AS (
        SELECT email_id, no, count(*) FILTER (WHERE kind = 'opens') AS opens,
               count(*) FILTER (WHERE kind = 'clicks') AS clicks,
               count(*) FILTER (WHERE kind = 'machine_opens') AS machine_opens,
               count(*) FILTER (WHERE kind = 'machine_clicks') AS machine_clicks
        FROM happened GROUP BY email_id, no
      ), counted AS (
        UPDATE recipients r SET
          opens = nullif(least(coalesce(r.opens, 0) + g.opens, ${maxCounter}), 0),
          clicks = nullif(least(coalesce(r.clicks, 0) + g.clicks, ${maxCounter}), 0),
          machine_opens = nullif(least(coalesce(r.machine_opens, 0) + g.machine_opens, ${maxCounter}), 0),
          machine_clicks = nullif(least(coalesce(r.machine_clicks, 0) + g.machine_clicks, ${maxCounter}), 0)
        FROM gained g
        WHERE r.email_id = g.email_id AND r.no = g.no AND r.email_id BETWEEN $2 AND $3
          AND ((g.opens > 0 AND coalesce(r.opens, 0) < $4) OR (g.clicks > 0 AND coalesce(r.clicks, 0) < $4)
               OR (g.machine_opens > 0 AND coalesce(r.machine_opens, 0) < $4)
               OR (g.machine_clicks > 0 AND coalesce(r.machine_clicks, 0) < $4))
        RETURNING r.email_id, r.no, r.status,
          coalesce(r.opens, 0) - g.opens AS opens, coalesce(r.clicks, 0) - g.clicks AS clicks,
          coalesce(r.machine_opens, 0) - g.machine_opens AS machine_opens,
          coalesce(r.machine_clicks, 0) - g.machine_clicks AS machine_clicks
      ), admitted AS (
        SELECT h.*, row_number() OVER (PARTITION BY h.email_id ORDER BY h.position) AS step,
               h.kind IN ('opens', 'clicks') AND c.status IN ('queued', 'delayed', 'delivered') AS moves
        FROM happened h JOIN counted c ON c.email_id = h.email_id AND c.no = h.no
        WHERE h.nth + CASE h.kind WHEN 'opens' THEN c.opens WHEN 'clicks' THEN c.clicks
                                  WHEN 'machine_opens' THEN c.machine_opens ELSE c.machine_clicks END <= $4
      ), moved AS (
        SELECT email_id, count(*)::int AS steps, bool_or(moves AND kind = 'clicks') AS clicked, bool_or(moves) AS engaged
        FROM admitted GROUP BY email_id
      ), numbered AS (
        UPDATE emails e SET event_seq = e.event_seq + m.steps,
          last_event = CASE WHEN e.last_event = 'complained' THEN e.last_event
                            WHEN m.clicked THEN 'clicked'
                            WHEN m.engaged AND e.last_event <> 'clicked' THEN 'opened'
                            ELSE e.last_event END
        FROM moved m WHERE e.id = m.email_id AND e.id BETWEEN $2 AND $3
        RETURNING e.id, e.event_seq - m.steps AS base
      )
      INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
      SELECT a.email_id, n.base + a.step, a.no, a.at, a.event, a.data FROM admitted a JOIN numbered n ON n.id = a.email_id
      ORDER BY a.email_id, a.step`,
    values: [
      storableJson(
        engagements.map(({ emailId, recipientNo, event, isMachine, data, at }, position) => ({
          position,
          email_id: emailId,
          no: recipientNo,
          kind: `${isMachine ? 'machine_' : ''}${event === 'email.opened' ? 'opens' : 'clicks'}`,
          event,
          data,
          at,
        })),
      ),
      ...boundsOf(engagements.map(({ emailId }) => emailId)),
      maxEngagements,
    ],
  };
}

@Injectable()
export class PostgresEmailEngagements extends EmailEngagements {
  async deliveredAt(
    recipients: readonly EmailRecipient[],
    transaction: Transaction,
  ): Promise<readonly (Date | undefined)[]> {
    if (recipients.length === 0) return [];
    const rows = await statementsOf(transaction).query<{ deliveredAt: Date | null }>(
      deliveryTimesStatement(recipients),
    );
    return rows.map(({ deliveredAt }) => deliveredAt ?? undefined);
  }

  async record(engagements: readonly Engagement[], transaction: Transaction): Promise<void> {
    if (engagements.length > 0) await statementsOf(transaction).execute(engagementsStatement(engagements));
  }
}
