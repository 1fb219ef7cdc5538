import { Transaction } from '#kernel';
import { boundsOf, Row, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { RefusedRecipient, RefusedRecipients } from '../../application/ports/reports.port.js';

@Injectable()
export class PostgresRefusedRecipients extends RefusedRecipients {
  /** The look-ups are LATERAL with a limit: as joins they could be planned as a scan of a day. */
  of(
    events: readonly { readonly emailId: string; readonly recipientNo: number }[],
    transaction: Transaction,
  ): Promise<readonly RefusedRecipient[]> {
    const emailIds = events.map(({ emailId }) => emailId);
    return statementsOf(transaction).query<Row<RefusedRecipient>>({
      name: 'refused-recipients',
      text: `SELECT q.email_id AS "emailId", q.no AS "recipientNo", e.team_id AS "teamId", r.address
             FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
             CROSS JOIN LATERAL (SELECT team_id FROM published_emails
                                 WHERE id = q.email_id AND id BETWEEN $3 AND $4 LIMIT 1) e
             CROSS JOIN LATERAL (SELECT address FROM published_recipients
                                 WHERE email_id = q.email_id AND no = q.no AND email_id BETWEEN $3 AND $4 LIMIT 1) r`,
      values: [emailIds, events.map(({ recipientNo }) => recipientNo), ...boundsOf(emailIds)],
    });
  }
}
