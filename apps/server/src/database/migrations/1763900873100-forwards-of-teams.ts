import { MigrationInterface, QueryRunner } from 'typeorm';

/** An index to count what a team has forwarded lately. */
export class ForwardsOfTeams1763900873100 implements MigrationInterface {
  name = 'ForwardsOfTeams1763900873100';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS inbound_route_results_forwards');
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    await runner.query(
      `CREATE INDEX CONCURRENTLY inbound_route_results_forwards ON inbound_route_results (team_id, created_at)
       WHERE action = 'forward'`,
    );
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
