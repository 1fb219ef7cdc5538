import { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls that runs wait for, and the secrets with which they are signed. */
export class AutomationCalls1763914000000 implements MigrationInterface {
  name = 'AutomationCalls1763914000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE automation_calls (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        run_id uuid NOT NULL,
        step_key text NOT NULL,
        url text NOT NULL,
        body jsonb NOT NULL,
        attempts smallint NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX automation_calls_due_of_team ON automation_calls (team_id, due_at)');
    await runner.query('CREATE INDEX automation_calls_of_run ON automation_calls (run_id)');
    await runner.query(`
      CREATE TABLE automation_secrets (
        team_id uuid PRIMARY KEY,
        sealed_secret bytea NOT NULL,
        sealed_previous_secret bytea,
        previous_secret_until timestamptz
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
