import { Statement } from '#postgres/database';
import { erasedNotice, Withheld } from '../../domain/withheld-recipient.js';

/** A recipient whose email is due. */
export type DueRecipient = {
  emailId: string;
  no: number;
  address: string;
  teamId: string;
  topicId: string | null;
  /** True while the API key that sent the email exists, or if it was not sent with an API key. */
  hasKey: boolean;
  hasDomain: boolean;
};

/** A recipient to which nothing is sent, with the data of its event. */
export type WithheldRecipient = { readonly emailId: string; readonly no: number } & Withheld;

/** A recipient of an email that has just been released. */
export type ReleasedRecipient = {
  emailId: string;
  teamId: string;
  domainId: string;
  region: string;
  no: number;
  address: string;
  size: number;
  isPersonal: boolean;
  isBulk: boolean;
};

export function dueRecipientsStatement(ids: readonly string[]): Statement {
  const sorted = [...ids].sort();
  return {
    name: 'due-recipients',
    text: `SELECT r.email_id AS "emailId", r.no, r.address, e.team_id AS "teamId", e.topic_id AS "topicId",
                  (e.api_key_id IS NULL OR EXISTS (SELECT FROM published_api_keys k WHERE k.id = e.api_key_id)) AS "hasKey",
                  EXISTS (SELECT FROM published_domains d WHERE d.id = e.domain_id) AS "hasDomain"
           FROM recipients r JOIN emails e ON e.id = r.email_id
           WHERE r.email_id = ANY ($1::uuid[]) AND r.email_id BETWEEN $2 AND $3 AND e.id BETWEEN $2 AND $3
             AND r.status = 'scheduled'`,
    values: [sorted, sorted[0], sorted[sorted.length - 1]],
  };
}

/**
 * Changes emails from scheduled to sent, with one event per recipient. Withheld recipients are not queued and get an
 * event with the reason. The ids are a parameter with bounds, so that PostgreSQL reads only the partitions of the days
 * of acceptance. A domain may be deleted between the screening and this statement: its recipients are queued all the
 * same, and delivery ends them.
 */
export function releaseStatement(ids: readonly string[], withheld: readonly WithheldRecipient[], now: Date): Statement {
  const sorted = [...ids].sort();
  return {
    name: 'release-emails',
    text: `WITH withheld AS (
             SELECT * FROM json_to_recordset($5::json) AS w (email_id uuid, no smallint, status text, data jsonb)
           ), moved AS (
             UPDATE recipients r
             SET status = coalesce(
               (SELECT w.status FROM withheld w WHERE w.email_id = r.email_id AND w.no = r.no), 'queued')
             WHERE r.email_id = ANY ($1::uuid[]) AND r.email_id BETWEEN $2 AND $3 AND r.status = 'scheduled'
             RETURNING r.email_id, r.no, r.address, r.status
           ), numbered AS (
             SELECT *, row_number() OVER (PARTITION BY email_id ORDER BY no) AS step FROM moved
           ), counts AS (
             SELECT email_id, count(*)::int AS steps, CASE WHEN bool_or(status = 'queued') THEN 'sent' ELSE min(status) END AS last_event
             FROM moved GROUP BY email_id
           ), sent AS (
             UPDATE emails e SET last_event = c.last_event, event_seq = e.event_seq + c.steps FROM counts c
             WHERE e.id = c.email_id AND e.id = ANY ($1::uuid[]) AND e.id BETWEEN $2 AND $3
             RETURNING e.id, e.team_id, e.domain_id, e.size, e.event_seq - c.steps AS base,
                       e.merge_values IS NOT NULL OR e.topic_id IS NOT NULL AS is_personal,
                       e.is_bulk IS TRUE AS is_bulk
           ), logged AS (
             INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
             SELECT n.email_id, s.base + n.step, n.no, $4,
                    CASE n.status WHEN 'queued' THEN 'email.sent' ELSE 'email.' || n.status END, w.data
             FROM numbered n JOIN sent s ON s.id = n.email_id
             LEFT JOIN withheld w ON w.email_id = n.email_id AND w.no = n.no
             ORDER BY n.email_id, n.step
           )
           SELECT n.email_id AS "emailId", n.no, n.address, s.size, s.team_id AS "teamId", s.domain_id AS "domainId",
                  s.is_personal AS "isPersonal", s.is_bulk AS "isBulk", coalesce(d.sending_region, 'unknown') AS region
           FROM numbered n JOIN sent s ON s.id = n.email_id LEFT JOIN published_domains d ON d.id = s.domain_id
           WHERE n.status = 'queued'`,
    values: [
      sorted,
      sorted[0],
      sorted[sorted.length - 1],
      now,
      JSON.stringify(withheld.map(({ emailId, no, status, data }) => ({ email_id: emailId, no, status, data }))),
    ],
  };
}

export function rescheduleStatement(teamId: string, emailId: string, dueAt: Date): Statement {
  return {
    name: 'reschedule-email',
    text: `WITH moved AS (
             UPDATE scheduled_emails s SET due_at = $3 FROM emails e
             WHERE s.email_id = $2 AND e.id = $2 AND e.team_id = $1 RETURNING s.email_id
           )
           UPDATE emails e SET scheduled_at = $3 FROM moved WHERE e.id = $2 AND moved.email_id = $2`,
    values: [teamId, emailId, dueAt],
  };
}

export function cancelStatement(teamId: string, emailId: string, now: Date): Statement {
  return {
    name: 'cancel-email',
    text: `WITH taken AS (
             DELETE FROM scheduled_emails s USING emails e
             WHERE s.email_id = $2 AND e.id = $2 AND e.team_id = $1 RETURNING s.email_id
           ), recipients_canceled AS (
             UPDATE recipients r SET status = 'canceled' FROM taken
             WHERE r.email_id = $2 AND taken.email_id = $2 AND r.status = 'scheduled'
           ), canceled AS (
             UPDATE emails e SET last_event = 'canceled', event_seq = e.event_seq + 1 FROM taken
             WHERE e.id = $2 AND taken.email_id = $2 RETURNING e.id, e.event_seq
           )
           INSERT INTO email_events (email_id, seq, created_at, type)
           SELECT id, event_seq, $3, 'email.canceled' FROM canceled`,
    values: [teamId, emailId, now],
  };
}

/** No row if the email is not waiting. */
export function lockScheduledStatement(teamId: string, emailId: string, recipientNos: readonly number[]): Statement {
  return {
    text: `SELECT EXISTS (SELECT FROM recipients r WHERE r.email_id = $2 AND r.status = 'scheduled' AND r.no <> ALL ($3::smallint[]))
                    AS "hasOthers"
           FROM scheduled_emails s JOIN emails e ON e.id = $2
           WHERE s.email_id = $2 AND e.team_id = $1 FOR UPDATE OF s`,
    values: [teamId, emailId, recipientNos],
  };
}

/** With the row of the schedule locked. */
export function withdrawStatement(emailId: string, recipientNos: readonly number[], now: Date): Statement {
  return {
    text: `WITH numbers AS (
             UPDATE emails SET event_seq = event_seq + (
               SELECT count(*) FROM recipients r WHERE r.email_id = $1 AND r.status = 'scheduled' AND r.no = ANY ($2::smallint[]))
             WHERE id = $1 RETURNING event_seq
           ), ended AS (
             UPDATE recipients SET status = 'suppressed'
             WHERE email_id = $1 AND status = 'scheduled' AND no = ANY ($2::smallint[]) RETURNING no
           )
           INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
           SELECT $1, n.event_seq + 1 - row_number() OVER (ORDER BY e.no DESC), e.no, $3, 'email.suppressed', $4::jsonb
           FROM ended e, numbers n`,
    values: [emailId, recipientNos, now, JSON.stringify({ suppressed: erasedNotice })],
  };
}
