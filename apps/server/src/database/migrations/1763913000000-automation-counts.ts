import { MigrationInterface, QueryRunner } from 'typeorm';

const ofSteps = [
  'entered',
  'waiting',
  'completed',
  'failed',
  'skipped',
  'sent',
  'passed_default',
  'passed_condition_met',
  'passed_condition_not_met',
  'passed_event_received',
  'passed_timeout',
  'passed_failed',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
];
const ofRuns = ['started', 'completed', 'failed', 'cancelled', 'not_entered', 'goals'];
const columns = (names: readonly string[]): string =>
  names.map((name) => `${name} bigint NOT NULL DEFAULT 0`).join(', ');

/** The numbers of automations and their steps, and what became of the emails of steps. */
export class AutomationCounts1763913000000 implements MigrationInterface {
  name = 'AutomationCounts1763913000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE automation_step_counts (
        automation_id uuid NOT NULL,
        step_key text NOT NULL,
        shard smallint NOT NULL,
        ${columns(ofSteps)},
        PRIMARY KEY (automation_id, step_key, shard)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE TABLE automation_run_counts (
        automation_id uuid NOT NULL,
        shard smallint NOT NULL,
        ${columns(ofRuns)},
        PRIMARY KEY (automation_id, shard)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      ALTER TABLE automation_run_steps
        ADD COLUMN automation_id uuid,
        ADD COLUMN results smallint NOT NULL DEFAULT 0`);
    await runner.query('ALTER TABLE automation_run_steps SET (fillfactor = 90)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
