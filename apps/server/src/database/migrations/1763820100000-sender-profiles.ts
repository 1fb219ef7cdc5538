import { MigrationInterface, QueryRunner } from 'typeorm';

/** How teams look on the preference page. */
export class SenderProfiles1763820100000 implements MigrationInterface {
  name = 'SenderProfiles1763820100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE sender_profiles (
      team_id uuid PRIMARY KEY REFERENCES teams,
      name text,
      logo bytea,
      logo_type text,
      accent_color text,
      updated_at timestamptz NOT NULL,
      api_key_id uuid,
      actor_kind text,
      actor_id uuid
    )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
