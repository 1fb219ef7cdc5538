import { MigrationInterface, QueryRunner } from 'typeorm';

/** What automations that begin with an event of the service need: mail, dates of contacts, segments with filters. */
export class AutomationTriggers1763912000000 implements MigrationInterface {
  name = 'AutomationTriggers1763912000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE automation_triggers ADD COLUMN fields jsonb NOT NULL DEFAULT '{}'`);
    await runner.query(
      `CREATE INDEX automation_triggers_of_mail ON automation_triggers (team_id) WHERE event_name LIKE 'resend:email.%'`,
    );
    await runner.query(`
      CREATE TABLE automation_date_triggers (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        automation_id uuid NOT NULL,
        config jsonb NOT NULL,
        scanned_to uuid,
        is_scanned boolean NOT NULL DEFAULT false,
        is_removed boolean NOT NULL DEFAULT false,
        turn_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX automation_date_triggers_of_team ON automation_date_triggers (team_id)');
    await runner.query(
      'CREATE INDEX automation_date_triggers_of_automation ON automation_date_triggers (automation_id)',
    );
    await runner.query(
      'CREATE INDEX automation_date_triggers_unfinished ON automation_date_triggers (turn_at) WHERE is_removed OR NOT is_scanned',
    );
    await runner.query(`
      CREATE TABLE automation_dates (
        trigger_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        team_id uuid NOT NULL,
        date date NOT NULL,
        due_at timestamptz NOT NULL,
        PRIMARY KEY (trigger_id, contact_id)
      )`);
    await runner.query('CREATE INDEX automation_dates_due ON automation_dates (due_at)');
    await runner.query('CREATE INDEX automation_dates_due_of_team ON automation_dates (team_id, due_at)');
    await runner.query(`
      CREATE TABLE automation_changed_contacts (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        contact_id uuid NOT NULL
      )`);
    await runner.query('CREATE INDEX automation_changed_contacts_of_team ON automation_changed_contacts (team_id, id)');
    await runner.query(`
      CREATE TABLE automation_watched_segments (
        segment_id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        is_known boolean NOT NULL DEFAULT false,
        due_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX automation_watched_segments_of_team ON automation_watched_segments (team_id)');
    await runner.query(`
      CREATE TABLE automation_caused_changes (
        contact_id uuid PRIMARY KEY,
        depth smallint NOT NULL,
        changed_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX automation_caused_changes_by_time ON automation_caused_changes (changed_at)');
    await runner.query('CREATE INDEX automation_watched_segments_due ON automation_watched_segments (due_at)');
    await runner.query(`
      CREATE TABLE automation_segment_members (
        segment_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        PRIMARY KEY (segment_id, contact_id)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
