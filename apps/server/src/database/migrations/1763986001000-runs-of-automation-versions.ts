import { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = {
  automation_runs_unfinished_of_version: '(automation_id, version, created_at) WHERE completed_at IS NULL',
  automation_runs_ended_of_version: '(automation_id, version) WHERE completed_at IS NOT NULL',
};

/** In portions, so that their locks last for a moment. A version that is locked is left out: its size is counted when it is needed. */
const sizesAtOnce = `UPDATE automation_versions v SET characters = length(v.graph::text)
  FROM (SELECT automation_id, version FROM automation_versions WHERE characters IS NULL LIMIT 200 FOR UPDATE SKIP LOCKED) AS portion
  WHERE v.automation_id = portion.automation_id AND v.version = portion.version RETURNING v.version`;

/**
 * The sizes of versions that are there, and indexes for the runs of a version. Each step of a run writes all indexes that have
 * the run: the first one replaces `automation_runs_unfinished`, and only an ended run is in the other, so that a step writes as
 * many as before.
 */
export class RunsOfAutomationVersions1763986001000 implements MigrationInterface {
  name = 'RunsOfAutomationVersions1763986001000';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    while (((await runner.query(sizesAtOnce)) as [unknown[], number])[1] > 0);
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
