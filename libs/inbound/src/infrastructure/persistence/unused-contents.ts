import { MessageStore } from '#emails';
import { Database, DatabaseTransaction, idsWithin, rangeOf } from '#postgres/database';
import { Injectable } from '@nestjs/common';

const maxAtOnce = 500;

/**
 * The contents of emails that were erased. They are listed in the transaction that deletes the emails, because the
 * store may be outside the database. If a process dies in between, the next erasure removes them.
 */
@Injectable()
export class UnusedContents {
  constructor(
    private readonly database: Database,
    private readonly store: MessageStore,
  ) {}

  async add(contentIds: readonly string[], transaction: DatabaseTransaction): Promise<void> {
    await transaction.execute({
      // Also a row that is listed already is written again: who has read the old one has looked before this commit.
      text: `INSERT INTO received_unused_contents (content_id) SELECT unnest($1::uuid[]) AS id ORDER BY id
             ON CONFLICT (content_id) DO UPDATE SET content_id = excluded.content_id`,
      values: [contentIds],
    });
  }

  /** Resolves once nothing is listed. Throws if the store fails. */
  async removeUnused(): Promise<void> {
    for (;;) {
      const listed = await this.database.query<{ id: string; version: string }>({
        text: `SELECT content_id AS id, xmin::text AS version FROM received_unused_contents LIMIT ${maxAtOnce}`,
      });
      for (const { id } of listed) if (!(await this.isUsed(id))) await this.store.remove([id]);
      if (listed.length === 0) return;
      await this.database.execute({
        text: `DELETE FROM received_unused_contents u USING unnest($1::uuid[], $2::text[]) AS seen (id, version)
               WHERE u.content_id = seen.id AND u.xmin::text = seen.version`,
        values: [listed.map(({ id }) => id), listed.map(({ version }) => version)],
      });
    }
  }

  /** The emails of one message were made in the same moment. */
  private async isUsed(contentId: string): Promise<boolean> {
    const { from, to } = rangeOf(contentId);
    const rows = await this.database.query({
      text: `SELECT 1 FROM received_emails
             WHERE content_id = $1 AND ${idsWithin('id', { from, to: to + 1_000 })} LIMIT 1`,
      values: [contentId],
    });
    return rows.length > 0;
  }
}
