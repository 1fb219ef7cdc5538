import { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of contents, who has them open, and the styles of teams. */
export class Editor1763930100000 implements MigrationInterface {
  name = 'Editor1763930100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE editor_versions (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        resource_type text NOT NULL,
        resource_id uuid NOT NULL,
        name text,
        kind text NOT NULL,
        document text,
        html text,
        text text,
        api_key_id uuid,
        actor_kind text,
        actor_id uuid,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX editor_versions_of_content ON editor_versions (team_id, resource_id, id)');
    await runner.query(`
      CREATE TABLE editor_presences (
        team_id uuid NOT NULL,
        resource_type text NOT NULL,
        resource_id uuid NOT NULL,
        client_id text NOT NULL,
        name text NOT NULL,
        kind text NOT NULL,
        is_writing boolean NOT NULL,
        api_key_id uuid,
        actor_kind text,
        actor_id uuid,
        arrived_at timestamptz NOT NULL,
        seen_at timestamptz NOT NULL,
        until timestamptz NOT NULL,
        PRIMARY KEY (team_id, resource_id, client_id)
      )`);
    await runner.query('CREATE INDEX editor_presences_until ON editor_presences (until)');
    await runner.query(`
      CREATE TABLE editor_styles (
        team_id uuid PRIMARY KEY,
        styles jsonb NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
