import { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations to teams, the limits that an operator sets for a team, and the audit log. */
export class TeamsOfPeople1763830020000 implements MigrationInterface {
  name = 'TeamsOfPeople1763830020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE team_invitations (
      id uuid PRIMARY KEY,
      team_id uuid NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
      email text NOT NULL,
      role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
      token_hash bytea NOT NULL UNIQUE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      UNIQUE (team_id, email))`);
    await runner.query('CREATE INDEX team_invitations_email ON team_invitations (email)');
    await runner.query('CREATE INDEX team_invitations_expires ON team_invitations (expires_at)');
    await runner.query('CREATE INDEX team_invitations_page ON team_invitations (team_id, id)');
    await runner.query(`CREATE TABLE team_limits (
      team_id uuid PRIMARY KEY REFERENCES teams (id) ON DELETE CASCADE,
      requests_per_second integer,
      daily_quota bigint,
      monthly_quota bigint)`);
    await runner.query(`CREATE TABLE audit_entries (
      id uuid PRIMARY KEY,
      team_id uuid,
      action text NOT NULL,
      outcome text,
      actor_kind text NOT NULL,
      actor_id uuid,
      address text,
      target_id text,
      before jsonb,
      after jsonb)`);
    await runner.query('CREATE INDEX audit_entries_team ON audit_entries (team_id, id)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
