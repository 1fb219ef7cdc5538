import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ReturnPathOwner } from '#delivery';
import { storableText, Transaction } from '#kernel';
import { boundsOf, lockName, Row, statementsOf } from '#postgres/database';
import { RecipientRows } from '#postgres/privacy';
import { RefusedRecipient, RefusedRecipients, ReportEffect, Reports } from '../../application/ports/reports.port.js';
import { ReportRecord } from '../../domain/mail-report.js';

/**
 * Maximum number of reports without effect that are kept for one recipient, so that a sender of reports cannot fill the
 * table. A report with an effect is always kept: there are few of them, and behind a mailing list a complaint may follow
 * twenty automatic replies.
 */
const maxPerRecipient = 20;
const maxTextLength = 1_000;

@Injectable()
export class PostgresReports extends Reports {
  async add(
    { emailId, recipientNo }: ReturnPathOwner,
    report: ReportRecord & { readonly effect: ReportEffect; readonly receivedAt: Date },
    transaction: Transaction,
  ): Promise<boolean> {
    const { kind, reporter, action, status, category, diagnostic, effect, receivedAt } = report;
    const content = [kind, storable(reporter), storable(action), storable(status), storable(diagnostic)];
    const statements = statementsOf(transaction);
    await lockName(`feedback ${emailId} ${recipientNo}`, statements);
    const added = await statements.execute({
      text: `INSERT INTO feedback_reports
               (email_id, recipient_no, digest, received_at, kind, reporter, action, status, diagnostic, category, effect)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
             WHERE $11 <> 'none'
                OR (SELECT count(*) FROM feedback_reports WHERE email_id = $1 AND recipient_no = $2) < ${maxPerRecipient}
             ON CONFLICT DO NOTHING`,
      values: [emailId, recipientNo, digestOf(content), receivedAt, ...content, category, effect],
    });
    return added > 0;
  }
}

/** Identifies a report by its content, so that the same report in another message is recognised. */
function digestOf(content: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

function storable(text: string | null): string | null {
  return text === null ? null : storableText(text.slice(0, maxTextLength));
}

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
