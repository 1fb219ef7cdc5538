import { createHash } from 'node:crypto';
import type { ReturnPathOwner } from '#delivery';
import { storableText, Transaction } from '#kernel';
import { lockName, statementsOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { ReportEffect, Reports } from '../../application/ports/reports.port.js';
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
