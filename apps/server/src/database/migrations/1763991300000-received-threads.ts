import { MigrationInterface, QueryRunner } from 'typeorm';

/** The key of a message id in SQL, as `messageKeyOf` makes it. */
const keyOf = (messageId: string): string =>
  `overlay(overlay(left(encode(sha256(convert_to(lower(${messageId}), 'UTF8')), 'hex'), 32) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`;

/** The thread of each message that received mail has or refers to. */
export class ReceivedThreads1763991300000 implements MigrationInterface {
  name = 'ReceivedThreads1763991300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE received_threads (
        team_id uuid NOT NULL,
        message_key uuid NOT NULL,
        thread_id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (team_id, message_key)
      );
      INSERT INTO received_threads
      SELECT team_id, ${keyOf('message_id')}, thread_id, created_at FROM received_emails WHERE message_id <> ''
      ON CONFLICT DO NOTHING;
      INSERT INTO received_threads
      SELECT i.team_id, ${keyOf('e.message_id')}, t.root, e.received_at
      FROM inbox_emails e JOIN inbox_threads t ON t.id = e.thread_id JOIN inboxes i ON i.id = e.inbox_id
      WHERE e.message_id <> '' AND e.direction = 'outbound'
      ON CONFLICT DO NOTHING;
      CREATE INDEX received_threads_by_age ON received_threads (created_at);`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
