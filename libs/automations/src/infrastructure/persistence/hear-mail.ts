import { newId, Transaction } from '#kernel';
import { boundsOf, statementsOf, storableJson } from '#postgres/database';
import { MailEvent } from '../../application/ports/event-queue.port.js';

/**
 * Makes events of what has happened to emails where an automation of the team begins with it. An email that a run has sent
 * hands its depth and its origin on. The bounds let PostgreSQL skip the partitions of other days.
 */
export async function hearMail(events: readonly MailEvent[], now: Date, transaction: Transaction): Promise<void> {
  const statements = statementsOf(transaction);
  const [listening] = await statements.query({
    name: 'automations-that-begin-with-mail',
    text: `SELECT FROM automation_triggers WHERE event_name LIKE 'resend:email.%' LIMIT 1`,
  });
  if (listening === undefined) return;
  await statements.execute({
    name: 'hear-mail',
    text: `INSERT INTO custom_event_occurrences (id, team_id, event_name, email, payload, depth, origin_id)
           SELECT f.id, e.team_id, f.name, lower(r.address), p.payload, coalesce(a.depth + 1, 0), a.origin_id
           FROM json_to_recordset($1::json)
             AS f (id uuid, email_id uuid, seq integer, recipient_no smallint, name text, type text, link text)
           CROSS JOIN LATERAL (
             SELECT team_id, template_id, subject FROM published_emails WHERE id = f.email_id AND id BETWEEN $2 AND $3 LIMIT 1
           ) e
           LEFT JOIN LATERAL (
             SELECT broadcast_id FROM published_broadcast_emails WHERE email_id = f.email_id LIMIT 1
           ) b ON true
           CROSS JOIN LATERAL (
             SELECT jsonb_strip_nulls(jsonb_build_object('email_id', f.email_id, 'template_id', e.template_id,
                      'broadcast_id', b.broadcast_id, 'subject', e.subject, 'link', f.link)) AS payload
           ) p
           CROSS JOIN LATERAL (
             SELECT address FROM published_recipients
             WHERE email_id = f.email_id AND email_id BETWEEN $2 AND $3 AND (f.recipient_no IS NULL OR no = f.recipient_no)
             ORDER BY no LIMIT 1
           ) r
           LEFT JOIN LATERAL (
             SELECT run.depth, coalesce(run.origin_id, run.event_id) AS origin_id FROM automation_run_steps s JOIN automation_runs run ON run.id = s.run_id
             WHERE s.email_id = f.email_id LIMIT 1
           ) a ON true
           WHERE EXISTS (
             SELECT FROM automation_triggers t
             WHERE t.team_id = e.team_id AND t.event_name = f.name AND p.payload @> t.fields
           ) AND NOT EXISTS (
             SELECT FROM published_email_events v
             WHERE v.email_id = f.email_id AND v.email_id BETWEEN $2 AND $3 AND v.seq < f.seq AND v.type = f.type
               AND v.recipient_no IS NOT DISTINCT FROM f.recipient_no
               AND v.data #>> '{click,link}' IS NOT DISTINCT FROM f.link
               AND coalesce(v.data #>> '{open,machine}', v.data #>> '{click,machine}') IS DISTINCT FROM 'true'
           )`,
    values: [
      storableJson(
        events.map(({ emailId, seq, recipientNo, name, payload }) => ({
          id: newId(now.getTime()),
          email_id: emailId,
          seq,
          recipient_no: recipientNo,
          name,
          type: name.slice('resend:'.length),
          link: payload.link,
        })),
      ),
      ...boundsOf(events.map(({ emailId }) => emailId)),
    ],
  });
}
