import { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = {
  automation_runs_unfinished_of_version: '(automation_id, version, created_at) WHERE completed_at IS NULL',
  automation_runs_ended_of_version: '(automation_id, version) WHERE completed_at IS NOT NULL',
};

/**
 * The sizes of versions that are there, and indexes for the runs of a version. Each step of a run writes all indexes that have the run: the first one replaces
 * `automation_runs_unfinished`, and only an ended run is in the other, so that a step writes as many as before.
 */
export class RunsOfAutomationVersions1763986001000 implements MigrationInterface {
  name = 'RunsOfAutomationVersions1763986001000';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer, as the update does alone. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    await runner.query('UPDATE automation_versions SET characters = length(graph::text) WHERE characters IS NULL');
    for (const [name, columns] of Object.entries(indexes)) {
      // An interrupted build leaves an invalid index with this name.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON automation_runs ${columns}`);
    }
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_runs_unfinished');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
