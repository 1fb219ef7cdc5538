import { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings of automations, goals of runs, what automations have caused, and who has entered them. */
export class AutomationSettings1763911000000 implements MigrationInterface {
  name = 'AutomationSettings1763911000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE automations ADD COLUMN settings jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(
      `CREATE INDEX automations_limited ON automations (team_id) WHERE settings ? 'max_emails_per_day' AND NOT is_deleted`,
    );
    await runner.query('ALTER TABLE automation_triggers ADD COLUMN subject_id uuid');
    await runner.query(`
      ALTER TABLE custom_event_occurrences
        ADD COLUMN depth smallint NOT NULL DEFAULT 0,
        ADD COLUMN subject_id uuid`);
    await runner.query(`
      ALTER TABLE automation_runs
        ADD COLUMN depth smallint NOT NULL DEFAULT 0,
        ADD COLUMN goals text[],
        ADD COLUMN goal_events text[],
        ADD COLUMN reached_goal text,
        ADD COLUMN webhooks jsonb,
        ADD COLUMN call jsonb`);
    await runner.query(`
      CREATE TABLE automation_entries (
        automation_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        entered_at timestamptz NOT NULL,
        PRIMARY KEY (automation_id, contact_id)
      )`);
    await runner.query(`
      CREATE TABLE automation_daily_emails (
        contact_id uuid NOT NULL,
        day date NOT NULL,
        emails smallint NOT NULL,
        PRIMARY KEY (contact_id, day)
      ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX automation_daily_emails_by_day ON automation_daily_emails (day)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
