import { RecipientRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

/** What receiving servers said about a recipient: their replies usually repeat the address. */
@Injectable()
export class AttemptsData extends RecipientRows {
  readonly name = 'attempts';

  protected readonly read = `
    SELECT a.email_id AS "emailId", a.recipient_no AS "recipientNo",
           json_build_object('attempt', a.attempt, 'started_at', a.started_at, 'outcome', a.outcome, 'host', a.host,
                             'reply', a.reply_text, 'reason', a.reason) AS record
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    CROSS JOIN LATERAL (
      SELECT * FROM delivery_attempts WHERE email_id = q.email_id AND recipient_no = q.no AND email_id BETWEEN $3 AND $4
      ORDER BY attempt LIMIT 100
    ) a`;

  protected readonly clear = `
    UPDATE delivery_attempts a SET reason = NULL, reply_text = NULL
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    WHERE a.email_id = q.email_id AND a.recipient_no = q.no AND a.email_id BETWEEN $3 AND $4`;
}
