import { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for the work of received mail, which is looked for team by team. */
export class ReceivedWorkOfTeams1763985000000 implements MigrationInterface {
  name = 'ReceivedWorkOfTeams1763985000000';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS received_work_of_team');
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    await runner.query('CREATE INDEX CONCURRENTLY received_work_of_team ON received_work (team_id, due_at)');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
