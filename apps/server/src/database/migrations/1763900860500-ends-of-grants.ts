import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What tools have made names its grant, and a grant ends with the membership of its user: by its foreign key, so that
 * no way to remove a member can forget it.
 */
export class EndsOfGrants1763900860500 implements MigrationInterface {
  name = 'EndsOfGrants1763900860500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE team_members ADD COLUMN tools_ended_at timestamptz');
    for (const table of ['oauth_grants', 'oauth_codes']) {
      await runner.query(`DELETE FROM ${table} g WHERE NOT EXISTS (
        SELECT FROM team_members m WHERE m.team_id = g.team_id AND m.user_id = g.user_id)`);
      await runner.query(`ALTER TABLE ${table} ADD FOREIGN KEY (team_id, user_id)
        REFERENCES team_members (team_id, user_id) ON DELETE CASCADE`);
    }
    await runner.query('CREATE INDEX oauth_codes_user ON oauth_codes (user_id)');
    await runner.query('ALTER TABLE oauth_codes ADD COLUMN created_at timestamptz NOT NULL DEFAULT now()');
    for (const table of ['api_keys', 'team_invitations']) {
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN grant_id uuid REFERENCES oauth_grants (id) ON DELETE CASCADE`,
      );
      await runner.query(`CREATE INDEX ${table}_grant ON ${table} (grant_id) WHERE grant_id IS NOT NULL`);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
