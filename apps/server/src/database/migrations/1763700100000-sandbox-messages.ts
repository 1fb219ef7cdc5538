import { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest messages of the built-in receiving server. Rows are written once; the oldest are removed first. */
export class SandboxMessages1763700100000 implements MigrationInterface {
  name = 'SandboxMessages1763700100000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  `CREATE TABLE sandbox_messages (
    id uuid PRIMARY KEY,
    team_id uuid,
    received_at timestamptz NOT NULL,
    size integer NOT NULL,
    "from" text NOT NULL,
    subject text NOT NULL,
    recipients text[] NOT NULL,
    raw bytea NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 1,
          toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 4000,
          toast.autovacuum_vacuum_cost_delay = 1)`,
  // A message is read once or never: compressing it would cost more than it saves.
  `ALTER TABLE sandbox_messages ALTER COLUMN raw SET STORAGE EXTERNAL`,
  `CREATE INDEX sandbox_messages_of_team ON sandbox_messages (team_id, id)`,
];
