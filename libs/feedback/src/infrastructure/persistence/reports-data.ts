import { Transaction } from '#kernel';
import { boundsOf, Database, statementsOf } from '#platform/database';
import { PersonalDataHolders, RecipientData, RecipientKey } from '#platform/privacy';
import { Injectable } from '@nestjs/common';

/** The reports that came back about a recipient: bounces and complaints. */
@Injectable()
export class ReportsData extends RecipientData {
  readonly name = 'reports';

  constructor(
    holders: PersonalDataHolders,
    private readonly database: Database,
  ) {
    super(holders);
  }

  async records(recipients: readonly RecipientKey[]): Promise<readonly (RecipientKey & { readonly record: object })[]> {
    if (recipients.length === 0) return [];
    const emailIds = recipients.map(({ emailId }) => emailId);
    return this.database.query<RecipientKey & { record: object } & Record<string, unknown>>({
      text: `SELECT f.email_id AS "emailId", f.recipient_no AS "recipientNo",
                    json_build_object('received_at', f.received_at, 'kind', f.kind, 'reporter', f.reporter, 'status', f.status,
                                      'diagnostic', f.diagnostic, 'effect', f.effect) AS record
             FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
             CROSS JOIN LATERAL (
               SELECT * FROM feedback_reports WHERE email_id = q.email_id AND recipient_no = q.no AND email_id BETWEEN $3 AND $4
               LIMIT 100
             ) f`,
      values: [emailIds, recipients.map(({ recipientNo }) => recipientNo), ...boundsOf(emailIds)],
    });
  }

  async erase(recipients: readonly RecipientKey[], transaction: Transaction): Promise<void> {
    const emailIds = recipients.map(({ emailId }) => emailId);
    await statementsOf(transaction).execute({
      text: `UPDATE feedback_reports f SET diagnostic = NULL
             FROM unnest($1::uuid[], $2::smallint[]) AS q (email_id, no)
             WHERE f.email_id = q.email_id AND f.recipient_no = q.no AND f.email_id BETWEEN $3 AND $4`,
      values: [emailIds, recipients.map(({ recipientNo }) => recipientNo), ...boundsOf(emailIds)],
    });
  }
}
