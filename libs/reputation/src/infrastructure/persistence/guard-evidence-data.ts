import { RecipientRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

const hasReply = `EXISTS (
      SELECT FROM jsonb_array_elements(t.evidence -> 'replies') AS r WHERE (r ->> 'emailId')::uuid = ANY ($1::uuid[]))`;
const withoutReply = `jsonb_set(t.evidence, '{replies}', coalesce((
      SELECT jsonb_agg(r) FROM jsonb_array_elements(t.evidence -> 'replies') AS r
      WHERE ((r ->> 'emailId')::uuid = ANY ($1::uuid[])) IS NOT TRUE), '[]'))`;
const senders = `
    senders AS (
      SELECT DISTINCT e.domain_id AS id FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
      JOIN published_emails e ON e.id = q.email_id AND e.id BETWEEN $3 AND $4
    )`;

/** The replies about an email that the guard of reputations shows as evidence: they may name its recipient. */
@Injectable()
export class GuardEvidenceData extends RecipientRows {
  readonly name = 'guard';

  protected readonly read = `
    WITH ${senders}
    SELECT q.email_id AS "emailId", q.no AS "recipientNo",
           json_build_object('provider', t.provider, 'step', t.to_step, 'reply', r ->> 'reply') AS record
    FROM senders d JOIN reputation_changes t ON t.domain_id = d.id
    CROSS JOIN LATERAL jsonb_array_elements(t.evidence -> 'replies') AS r
    JOIN unnest($1::uuid[], $2::smallint[]) AS q (email_id, no) ON q.email_id = (r ->> 'emailId')::uuid`;

  protected readonly clear = `
    WITH ${senders}, guards AS (
      UPDATE reputation_guards t SET evidence = ${withoutReply} FROM senders d WHERE t.domain_id = d.id AND ${hasReply}
    )
    UPDATE reputation_changes t SET evidence = ${withoutReply} FROM senders d WHERE t.domain_id = d.id AND ${hasReply}`;
}
