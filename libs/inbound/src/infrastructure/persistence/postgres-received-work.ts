import { storableText } from '#kernel';
import { Database } from '#postgres/database';
import type { Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { DueWork, ReceivedWork } from '../../application/ports/received-work.port.js';

/** Rows that are examined for one batch, and the part of them that one team may take. */
const maxExamined = 1_000;
const maxPerTeam = 8;
const maxReasonLength = 500;

@Injectable()
export class PostgresReceivedWork extends ReceivedWork {
  constructor(private readonly database: Database) {
    super();
  }

  take(now: Date, leaseUntil: Date, limit: number): Promise<readonly DueWork[]> {
    return this.database.query<Row<DueWork>>({
      name: 'take-received-work',
      text: `WITH due AS (
               SELECT email_id, row_number() OVER (PARTITION BY team_id ORDER BY due_at) AS turn
               FROM (SELECT email_id, team_id, due_at FROM received_work WHERE due_at <= $1
                     ORDER BY due_at LIMIT ${maxExamined}) AS oldest
             ), taken AS (
               SELECT email_id FROM received_work WHERE due_at <= $1 AND email_id IN (
                 SELECT email_id FROM due WHERE turn <= ${maxPerTeam} ORDER BY turn LIMIT $3)
               FOR UPDATE SKIP LOCKED
             )
             UPDATE received_work w SET due_at = $2 FROM taken WHERE w.email_id = taken.email_id
             RETURNING w.email_id AS "emailId", w.tries AS failures, w.announced AS "isAnnounced"`,
      values: [now, leaseUntil, limit],
    });
  }

  async renew(emailId: string, leaseUntil: Date): Promise<void> {
    await this.database.execute({
      text: 'UPDATE received_work SET due_at = $2 WHERE email_id = $1',
      values: [emailId, leaseUntil],
    });
  }

  async done(emailId: string): Promise<void> {
    await this.database.execute({ text: 'DELETE FROM received_work WHERE email_id = $1', values: [emailId] });
  }

  later(emailId: string, dueAt: Date, reason: string): Promise<void> {
    return this.postpone(emailId, dueAt, reason, 0);
  }

  failed(emailId: string, dueAt: Date, reason: string): Promise<void> {
    return this.postpone(emailId, dueAt, reason, 1);
  }

  private async postpone(emailId: string, dueAt: Date, reason: string, failures: number): Promise<void> {
    await this.database.execute({
      text: 'UPDATE received_work SET due_at = $2, last_error = $3, tries = tries + $4 WHERE email_id = $1',
      values: [emailId, dueAt, storableText(reason.slice(0, maxReasonLength)), failures],
    });
  }
}
