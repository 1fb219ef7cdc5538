import { MigrationInterface, QueryRunner } from 'typeorm';

/** Tools that act for users: registered clients, codes, and what users have allowed. Tokens are stored as hashes only. */
export class OAuth1763830030000 implements MigrationInterface {
  name = 'OAuth1763830030000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE oauth_clients (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      logo_uri text,
      redirect_uris text[] NOT NULL,
      secret_hash bytea,
      created_at timestamptz NOT NULL)`);
    await runner.query('CREATE INDEX oauth_clients_created ON oauth_clients (created_at)');
    await runner.query(`CREATE TABLE oauth_grants (
      id uuid PRIMARY KEY,
      client_id uuid NOT NULL,
      team_id uuid NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      user_id uuid NOT NULL REFERENCES auth."user" (id) ON DELETE CASCADE,
      scopes text[] NOT NULL,
      created_at timestamptz NOT NULL,
      revoked_at timestamptz,
      revoked_reason text,
      refresh_hash bytea NOT NULL UNIQUE,
      replaced_hash bytea,
      refresh_expires_at timestamptz NOT NULL)`);
    await runner.query('CREATE INDEX oauth_grants_team ON oauth_grants (team_id, id)');
    await runner.query('CREATE INDEX oauth_grants_client ON oauth_grants (client_id)');
    await runner.query('CREATE INDEX oauth_grants_user ON oauth_grants (user_id)');
    await runner.query('CREATE INDEX oauth_grants_replaced ON oauth_grants (replaced_hash)');
    await runner.query('CREATE INDEX oauth_grants_expires ON oauth_grants (refresh_expires_at)');
    await runner.query(`CREATE TABLE oauth_codes (
      code_hash bytea PRIMARY KEY,
      client_id uuid NOT NULL,
      team_id uuid NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      user_id uuid NOT NULL REFERENCES auth."user" (id) ON DELETE CASCADE,
      scopes text[] NOT NULL,
      redirect_uri text NOT NULL,
      challenge text NOT NULL,
      expires_at timestamptz NOT NULL,
      grant_id uuid)`);
    await runner.query('CREATE INDEX oauth_codes_expires ON oauth_codes (expires_at)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
