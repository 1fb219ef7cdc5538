import { Notice } from '#kernel';
import { claimed, Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { NoticeOutbox } from '../../application/ports/notice-outbox.port.js';

/** Rows of sent notices stay until retention removes them, so that a notice is not announced twice. */
@Injectable()
export class PostgresNoticeOutbox extends NoticeOutbox {
  constructor(private readonly database: Database) {
    super();
  }

  async acquire(now: Date, until: Date, max: number): Promise<readonly Notice[]> {
    const notices = await this.database.query<Row<Notice & { readonly to: string | null }>>({
      name: 'acquire-notices',
      text: `WITH next AS (
               SELECT key FROM (
                 SELECT key, is_urgent, due_at, row_number() OVER (PARTITION BY is_urgent, owner ORDER BY due_at) AS turn
                 FROM notices WHERE sent_at IS NULL AND due_at <= $1
               ) due ORDER BY is_urgent DESC, turn, due_at LIMIT $3
             )
             UPDATE notices SET due_at = $2
             WHERE ${claimed('key', 'FROM notices WHERE key IN (SELECT key FROM next) AND sent_at IS NULL AND due_at <= $1')}
             RETURNING key, subject, text, recipient AS "to"`,
      values: [now, until, max],
    });
    return notices.map(({ to, ...notice }) => (to === null ? notice : { ...notice, to }));
  }

  async markSent(key: string, now: Date): Promise<void> {
    await this.database.execute({ text: 'UPDATE notices SET sent_at = $2 WHERE key = $1', values: [key, now] });
  }
}
