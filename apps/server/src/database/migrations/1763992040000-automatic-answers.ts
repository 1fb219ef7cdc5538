import { MigrationInterface, QueryRunner } from 'typeorm';

/** Which runs answer received mail, whom they have answered last, and with whose permissions automations act. */
export class AutomaticAnswers1763992040000 implements MigrationInterface {
  name = 'AutomaticAnswers1763992040000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE custom_event_occurrences ADD COLUMN is_answer boolean NOT NULL DEFAULT false');
    await runner.query('ALTER TABLE automation_runs ADD COLUMN is_answer boolean NOT NULL DEFAULT false');
    await runner.query('ALTER TABLE automations ADD COLUMN authority jsonb');
    await runner.query(`
      CREATE TABLE automation_answers (
        automation_id uuid NOT NULL,
        author text NOT NULL,
        team_id uuid NOT NULL,
        run_id uuid,
        answered_at timestamptz NOT NULL,
        PRIMARY KEY (automation_id, author)
      )`);
    await runner.query('CREATE INDEX automation_answers_by_time ON automation_answers (answered_at)');
    await runner.query('CREATE INDEX automation_answers_of_author ON automation_answers (team_id, author)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
