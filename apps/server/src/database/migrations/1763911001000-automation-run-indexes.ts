import { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = {
  automation_runs_with_goals: '(team_id, contact_id) WHERE goal_events IS NOT NULL',
  automation_runs_of_contact: '(automation_id, contact_id, id)',
};

/** Indexes for runs with goals, and for the runs of a contact. CONCURRENTLY, because there may be millions of runs. */
export class AutomationRunIndexes1763911001000 implements MigrationInterface {
  name = 'AutomationRunIndexes1763911001000';
  /** CONCURRENTLY cannot run in a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    for (const [name, columns] of Object.entries(indexes)) {
      // An interrupted build leaves an invalid index with this name.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON automation_runs ${columns}`);
    }
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
