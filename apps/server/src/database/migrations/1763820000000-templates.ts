import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Templates and their versions. `current_version_id` and `published_version_id` have no foreign key: a template and its
 * versions are always written and removed together.
 */
export class Templates1763820000000 implements MigrationInterface {
  name = 'Templates1763820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE templates (
      id uuid PRIMARY KEY,
      team_id uuid NOT NULL REFERENCES teams,
      name text NOT NULL,
      alias text,
      current_version_id uuid NOT NULL,
      published_version_id uuid,
      published_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      UNIQUE (team_id, alias)
    )`);
    await runner.query('CREATE INDEX templates_of_team ON templates (team_id, id)');
    await runner.query(`CREATE TABLE template_versions (
      id uuid PRIMARY KEY,
      template_id uuid NOT NULL REFERENCES templates ON DELETE CASCADE,
      team_id uuid NOT NULL,
      "from" text,
      subject text,
      reply_to text[],
      html text NOT NULL,
      text text,
      variables jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      published_at timestamptz,
      api_key_id uuid,
      actor_kind text,
      actor_id uuid
    )`);
    await runner.query('CREATE INDEX template_versions_of_template ON template_versions (template_id, id)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
