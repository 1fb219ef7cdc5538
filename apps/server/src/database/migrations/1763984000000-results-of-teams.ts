import { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for erasures, which read all results of a team. */
export class ResultsOfTeams1763984000000 implements MigrationInterface {
  name = 'ResultsOfTeams1763984000000';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS inbound_route_results_team');
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    await runner.query(
      'CREATE INDEX CONCURRENTLY inbound_route_results_team ON inbound_route_results (team_id, received_id, key)',
    );
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
