import { RecipientRows } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';

/** The reports that came back about a recipient: bounces and complaints. */
@Injectable()
export class ReportsData extends RecipientRows {
  readonly name = 'reports';

  protected readonly read = `
    SELECT f.email_id AS "emailId", f.recipient_no AS "recipientNo",
           json_build_object('received_at', f.received_at, 'kind', f.kind, 'reporter', f.reporter, 'status', f.status,
                             'diagnostic', f.diagnostic, 'effect', f.effect) AS record
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    CROSS JOIN LATERAL (
      SELECT * FROM feedback_reports WHERE email_id = q.email_id AND recipient_no = q.no AND email_id BETWEEN $3 AND $4
      LIMIT 100
    ) f`;

  protected readonly clear = `
    UPDATE feedback_reports f SET diagnostic = NULL
    FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
    WHERE f.email_id = q.email_id AND f.recipient_no = q.no AND f.email_id BETWEEN $3 AND $4`;
}
