import { MigrationInterface, QueryRunner } from 'typeorm';

/** Custom events, automations, and their runs. */
export class Automations1763910000000 implements MigrationInterface {
  name = 'Automations1763910000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE custom_events (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        schema jsonb,
        created_at timestamptz NOT NULL,
        updated_at timestamptz,
        UNIQUE (team_id, name)
      )`);
    await runner.query('CREATE INDEX custom_events_of_team ON custom_events (team_id, id)');
    await runner.query(`
      CREATE TABLE automations (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        status text NOT NULL,
        version integer NOT NULL,
        api_key_id uuid,
        actor_kind text,
        actor_id uuid,
        -- Runs that began until then are cancelled.
        stopped_at timestamptz,
        is_deleted boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL,
        updated_at timestamptz
      )`);
    await runner.query('CREATE INDEX automations_of_team ON automations (team_id, id) WHERE NOT is_deleted');
    await runner.query('CREATE INDEX automations_stopped ON automations (id) WHERE stopped_at IS NOT NULL');
    await runner.query(`
      CREATE TABLE automation_versions (
        automation_id uuid NOT NULL,
        version integer NOT NULL,
        graph jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (automation_id, version)
      )`);
    await runner.query(`
      CREATE TABLE automation_triggers (
        team_id uuid NOT NULL,
        event_name text NOT NULL,
        automation_id uuid NOT NULL,
        step_key text NOT NULL,
        PRIMARY KEY (team_id, event_name, automation_id, step_key)
      )`);
    await runner.query('CREATE INDEX automation_triggers_of_automation ON automation_triggers (automation_id)');
    await runner.query(`
      CREATE TABLE custom_event_occurrences (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        event_name text NOT NULL,
        contact_id uuid,
        email text,
        payload jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX custom_event_occurrences_of_team ON custom_event_occurrences (team_id, id)');
    await runner.query(`
      CREATE TABLE automation_runs (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        automation_id uuid NOT NULL,
        version integer NOT NULL,
        event_id uuid NOT NULL,
        trigger_key text NOT NULL,
        contact_id uuid NOT NULL,
        contact_email text NOT NULL,
        payload jsonb NOT NULL,
        wait_events jsonb,
        status text NOT NULL,
        step_key text,
        is_waiting boolean NOT NULL DEFAULT false,
        has_event boolean NOT NULL DEFAULT false,
        waiting_event text,
        due_at timestamptz,
        troubles smallint NOT NULL DEFAULT 0,
        postponed_because text,
        created_at timestamptz NOT NULL,
        started_at timestamptz,
        completed_at timestamptz,
        UNIQUE (event_id, automation_id, trigger_key)
      )`);
    await runner.query('CREATE INDEX automation_runs_due ON automation_runs (due_at) WHERE due_at IS NOT NULL');
    await runner.query(
      'CREATE INDEX automation_runs_due_of_team ON automation_runs (team_id, due_at) WHERE due_at IS NOT NULL',
    );
    await runner.query(
      'CREATE INDEX automation_runs_waiting ON automation_runs (team_id, waiting_event, contact_id) WHERE waiting_event IS NOT NULL',
    );
    await runner.query(
      `CREATE INDEX automation_runs_waiting_for_mail ON automation_runs (id) WHERE waiting_event LIKE 'resend:%'`,
    );
    await runner.query('CREATE INDEX automation_runs_of_automation ON automation_runs (automation_id, status, id)');
    await runner.query(
      'CREATE INDEX automation_runs_unfinished ON automation_runs (automation_id, created_at) WHERE completed_at IS NULL',
    );
    await runner.query('CREATE INDEX automation_runs_of_address ON automation_runs (team_id, contact_email, id)');
    await runner.query(
      'CREATE INDEX automation_runs_ended ON automation_runs (completed_at) WHERE completed_at IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE automation_run_steps (
        run_id uuid NOT NULL,
        step_key text NOT NULL,
        type text NOT NULL,
        status text NOT NULL,
        output jsonb,
        error text,
        email_id uuid,
        started_at timestamptz NOT NULL,
        completed_at timestamptz,
        PRIMARY KEY (run_id, step_key)
      )`);
    await runner.query(
      'CREATE INDEX automation_run_steps_of_email ON automation_run_steps (email_id) WHERE email_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE automation_usage (
        team_id uuid NOT NULL,
        month date NOT NULL,
        runs bigint NOT NULL,
        PRIMARY KEY (team_id, month)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
