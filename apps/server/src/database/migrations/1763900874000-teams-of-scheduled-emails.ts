import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The team of each scheduled email, so that teams take turns with those that are due. Rows that processes of the
 * previous version have written have none. They get theirs when more mail is due than one batch takes.
 */
export class TeamsOfScheduledEmails1763900874000 implements MigrationInterface {
  name = 'TeamsOfScheduledEmails1763900874000';
  /** CONCURRENTLY cannot run in a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE scheduled_emails ADD COLUMN IF NOT EXISTS team_id uuid');
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS scheduled_emails_turns');
    await runner.query('CREATE INDEX CONCURRENTLY scheduled_emails_turns ON scheduled_emails (team_id, due_at)');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
