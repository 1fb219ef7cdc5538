import { createHash } from 'node:crypto';
import type { ReturnPathOwner } from '#delivery';
import { Transaction } from '#kernel';
import { statementsOf } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { ReportEffect, Reports } from '../../application/ports/reports.port.js';
import { ReportRecord } from '../../domain/mail-report.js';

/**
 * Reports without effect that are kept for one recipient: whoever goes on reporting fills no table. One with an effect is
 * always taken, since there are few of those: behind a list twenty automatic answers may come before the complaint.
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
    const told = [kind, storable(reporter), storable(action), storable(status), storable(diagnostic)];
    const added = await statementsOf(transaction).execute({
      text: `INSERT INTO feedback_reports
               (email_id, recipient_no, digest, received_at, kind, reporter, action, status, diagnostic, category, effect)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
             WHERE $11 <> 'none'
                OR (SELECT count(*) FROM feedback_reports WHERE email_id = $1 AND recipient_no = $2) < ${maxPerRecipient}
             ON CONFLICT DO NOTHING`,
      values: [emailId, recipientNo, digestOf(told), receivedAt, ...told, category, effect],
    });
    return added > 0;
  }
}

/** The same report is known again by what it says, however it is wrapped. */
function digestOf(told: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(told)).digest();
}

/** PostgreSQL keeps no NUL and no half of a surrogate pair. */
function storable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '').toWellFormed().slice(0, maxTextLength);
}
