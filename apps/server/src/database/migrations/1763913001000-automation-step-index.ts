import { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for the runs that are in a step, or were. CONCURRENTLY, because there may be millions of steps. */
export class AutomationStepIndex1763913001000 implements MigrationInterface {
  name = 'AutomationStepIndex1763913001000';
  /** CONCURRENTLY cannot run in a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS automation_run_steps_of_step');
    await runner.query(
      `CREATE INDEX CONCURRENTLY automation_run_steps_of_step
       ON automation_run_steps (automation_id, step_key, status, run_id) WHERE automation_id IS NOT NULL`,
    );
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
