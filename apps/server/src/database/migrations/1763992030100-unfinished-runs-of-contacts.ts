import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An event looks for the unfinished runs of its contact, whether they wait already or not. Each step of a run writes all
 * indexes that have the run: this one replaces two.
 */
export class UnfinishedRunsOfContacts1763992030100 implements MigrationInterface {
  name = 'UnfinishedRunsOfContacts1763992030100';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_runs_unfinished_of_contact');
    await runner.query(`CREATE INDEX CONCURRENTLY automation_runs_unfinished_of_contact
      ON automation_runs (team_id, contact_id) WHERE completed_at IS NULL`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_runs_waiting');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_runs_with_goals');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
