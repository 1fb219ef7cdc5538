import { MigrationInterface, QueryRunner } from 'typeorm';

/** Which custom events are sent, their last payloads, and which automations listen to them. */
export class SeenEvents1763915000000 implements MigrationInterface {
  name = 'SeenEvents1763915000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE custom_event_names (
        team_id uuid NOT NULL,
        name text NOT NULL,
        id uuid NOT NULL,
        count bigint NOT NULL,
        last_seen_at timestamptz NOT NULL,
        PRIMARY KEY (team_id, name)
      ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX custom_event_names_of_team ON custom_event_names (team_id, id)');
    await runner.query(`
      CREATE TABLE custom_event_payloads (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        contact_email text NOT NULL,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX custom_event_payloads_of_name ON custom_event_payloads (team_id, name, id)');
    await runner.query(
      'CREATE INDEX custom_event_payloads_of_address ON custom_event_payloads (team_id, contact_email, id)',
    );
    await runner.query('CREATE INDEX custom_event_payloads_by_time ON custom_event_payloads (created_at)');
    await runner.query(`
      CREATE TABLE automation_uses (
        team_id uuid NOT NULL,
        event_name text NOT NULL,
        automation_id uuid NOT NULL,
        step_key text NOT NULL,
        step_type text NOT NULL,
        PRIMARY KEY (team_id, event_name, automation_id, step_key)
      )`);
    await runner.query('CREATE INDEX automation_uses_of_automation ON automation_uses (automation_id)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
