import { actorColumns } from '#identity';
import { Transaction } from '#kernel';
import { Statement, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { AcceptedEmails } from '../../application/ports/accepted-emails.port.js';
import { AcceptedEmail } from '../../domain/accepted-email.js';

/** Tables whose keys begin with an id that this process has generated for the email or its content. */
const keyedByOwnIds = /^(?:emails|recipients|email_events|message_contents)_p|^(?:scheduled_emails|outbound_queue)$/;

@Injectable()
export class PostgresAcceptedEmails extends AcceptedEmails {
  insert(emails: readonly AcceptedEmail[], transaction: Transaction): Promise<void> {
    // Made at once, not in a promise: an error here must come before the commit is sent.
    const statement = acceptanceStatement(emails);
    return statementsOf(transaction)
      .execute(statement)
      .then(() => undefined);
  }

  wereInsertedBefore(error: unknown): boolean {
    const { code, table } = error as { code?: string; table?: string };
    return code === '23505' && keyedByOwnIds.test(table ?? '');
  }
}

/**
 * Writes the emails, recipients and first events of a whole group in one statement. The rows are sent as JSON: one
 * native stringify here and one parse in PostgreSQL cost less than escaping a dozen text arrays.
 */
function acceptanceStatement(emails: readonly AcceptedEmail[]): Statement {
  return {
    name: 'accept-emails',
    text: `
      WITH accepted AS (
        SELECT * FROM json_to_recordset($1::json) AS e (
          id uuid, team_id uuid, domain_id uuid, api_key_id uuid, actor_kind text, actor_id uuid, topic_id uuid, created_at timestamptz, scheduled_at timestamptz,
          size int, event_seq int, last_event text, message_id text, "from" text, "to" text[],
          cc text[], bcc text[], reply_to text[], subject text, headers jsonb, tags jsonb, attachments jsonb,
          tracking jsonb,
         content_id uuid, merge_values jsonb, forwarded_from uuid, is_bulk boolean, template_id uuid, recipients text[], status text, event text, per_recipient boolean, withheld jsonb)
      ), scheduled AS (
        INSERT INTO scheduled_emails (email_id, due_at, team_id)
        SELECT id, scheduled_at, team_id FROM accepted WHERE scheduled_at IS NOT NULL
      ), written AS (
        INSERT INTO emails (id, team_id, domain_id, api_key_id, actor_kind, actor_id, topic_id, created_at, scheduled_at,
                            size, event_seq, last_event, message_id, "from", "to", cc, bcc, reply_to, subject, headers, tags, attachments,
                            tracking, content_id, merge_values, forwarded_from, is_bulk, template_id)
        SELECT id, team_id, domain_id, api_key_id, actor_kind, actor_id, topic_id, created_at, scheduled_at,
               size, event_seq, last_event, message_id, "from", "to", cc, bcc, reply_to, subject, headers, tags, attachments,
               tracking, content_id, merge_values, forwarded_from, is_bulk, template_id
        FROM accepted
      ), addressed AS (
        INSERT INTO recipients (email_id, no, status, address)
        SELECT id, r.no - 1, coalesce(withheld -> (r.no - 1)::text ->> 'status', status), r.address
        FROM accepted, unnest(recipients) WITH ORDINALITY AS r (address, no)
      )
      INSERT INTO email_events (email_id, seq, recipient_no, created_at, type, data)
      SELECT id, r.no, CASE WHEN per_recipient THEN r.no - 1 END, created_at,
             coalesce('email.' || (withheld -> (r.no - 1)::text ->> 'status'), event), withheld -> (r.no - 1)::text -> 'data'
      FROM accepted, generate_series(1, event_seq) AS r (no)`,
    values: [JSON.stringify(emails.map(rowOf))],
  };
}

/**
 * Omits null fields, because each field costs a look-up and a parse. An email that is sent at once has one `email.sent`
 * (or `email.suppressed`, `email.failed`) per recipient. A scheduled email has a single `email.scheduled`.
 */
function rowOf({ email, recipients }: AcceptedEmail): Record<string, unknown> {
  const scheduled = email.scheduledAt !== null;
  return {
    id: email.id,
    team_id: email.teamId,
    domain_id: email.domainId,
    ...actorColumns(email.actor),
    topic_id: email.topicId ?? undefined,
    created_at: email.createdAt,
    scheduled_at: email.scheduledAt ?? undefined,
    size: email.size,
    event_seq: scheduled ? 1 : recipients.length,
    last_event: email.lastEvent,
    message_id: email.messageId,
    from: email.from,
    to: email.to,
    cc: email.cc ?? undefined,
    bcc: email.bcc ?? undefined,
    reply_to: email.replyTo ?? undefined,
    subject: email.subject,
    headers: email.headers ?? undefined,
    tags: email.tags ?? undefined,
    attachments: email.attachments ?? undefined,
    tracking: email.tracking ?? undefined,
    content_id: email.contentId ?? undefined,
    merge_values: email.mergeValues ?? undefined,
    forwarded_from: email.forwardedFrom ?? undefined,
    is_bulk: email.isBulk ?? undefined,
    template_id: email.templateId ?? undefined,
    recipients: recipients.map(({ address }) => address),
    status: scheduled ? 'scheduled' : 'queued',
    event: scheduled ? 'email.scheduled' : 'email.sent',
    per_recipient: !scheduled,
    withheld: withheldByNumber(recipients),
  };
}

/** Status and event data by recipient number; undefined for most emails. */
function withheldByNumber(recipients: AcceptedEmail['recipients']): Record<string, unknown> | undefined {
  const some = recipients.filter(({ withheld }) => withheld !== undefined);
  if (some.length === 0) return undefined;
  return Object.fromEntries(some.map(({ no, withheld }) => [no, withheld]));
}
