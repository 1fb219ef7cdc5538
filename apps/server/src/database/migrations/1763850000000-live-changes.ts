import { MigrationInterface, QueryRunner } from 'typeorm';

/** What changed, for the pages that are open at this moment. */
export class LiveChanges1763850000000 implements MigrationInterface {
  name = 'LiveChanges1763850000000';

  async up(runner: QueryRunner): Promise<void> {
    // Not needed after a crash: processes notice that their watches are gone, and their streams begin anew.
    await runner.query(`CREATE UNLOGGED TABLE live_watches (
      team_id uuid NOT NULL,
      source_id uuid NOT NULL,
      since timestamptz NOT NULL DEFAULT now(),
      until timestamptz NOT NULL,
      PRIMARY KEY (team_id, source_id)
    ) WITH (fillfactor = 25)`);
    await runner.query(`CREATE UNLOGGED TABLE live_changes (
      xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
      at timestamptz NOT NULL DEFAULT now(),
      team_id uuid NOT NULL,
      topic text NOT NULL,
      names text[]
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`);
    await runner.query('CREATE INDEX live_changes_xid ON live_changes (xid)');
    await runner.query('CREATE INDEX live_changes_at ON live_changes (at)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
