import { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses to which a team's mail is never sent. The unique key is the index for the look-up at each acceptance. */
export class Suppressions1763700200000 implements MigrationInterface {
  name = 'Suppressions1763700200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE suppressions (
      id uuid PRIMARY KEY,
      team_id uuid NOT NULL REFERENCES teams,
      email text NOT NULL,
      origin text NOT NULL CHECK (origin IN ('bounce', 'complaint', 'manual')),
      source_id uuid,
      created_at timestamptz NOT NULL,
      UNIQUE (team_id, email)
    )`);
    await runner.query('CREATE INDEX suppressions_of_team ON suppressions (team_id, id)');
    await runner.query('CREATE INDEX suppressions_of_origin ON suppressions (team_id, origin, id)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
