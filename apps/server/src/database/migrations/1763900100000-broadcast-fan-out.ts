import { MigrationInterface, QueryRunner } from 'typeorm';

/** How far each broadcast has come: its fixed audience, and the waves in which that is worked through. */
export class BroadcastFanOut1763900100000 implements MigrationInterface {
  name = 'BroadcastFanOut1763900100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE broadcast_runs (
      broadcast_id uuid PRIMARY KEY,
      team_id uuid NOT NULL,
      planned_at timestamptz,
      decide_at timestamptz,
      winner smallint,
      scores integer[],
      retry_at timestamptz,
      troubles integer NOT NULL DEFAULT 0,
      tidied_at timestamptz
    ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX broadcast_runs_held ON broadcast_runs (retry_at) WHERE retry_at IS NOT NULL');
    await runner.query(
      'CREATE INDEX broadcast_runs_untidy ON broadcast_runs (broadcast_id) WHERE planned_at IS NOT NULL AND tidied_at IS NULL',
    );
    await runner.query(`CREATE TABLE broadcast_waves (
      broadcast_id uuid NOT NULL,
      wave smallint NOT NULL,
      part smallint NOT NULL,
      planned integer NOT NULL,
      release_at timestamptz,
      position uuid NOT NULL,
      turn_at timestamptz NOT NULL,
      ended_at timestamptz,
      PRIMARY KEY (broadcast_id, wave, part)
    ) WITH (fillfactor = 50)`);
    await runner.query(`CREATE TABLE broadcast_audience (
      broadcast_id uuid NOT NULL,
      wave smallint NOT NULL,
      part smallint NOT NULL,
      contact_id uuid NOT NULL,
      variant smallint,
      PRIMARY KEY (broadcast_id, wave, part, contact_id)
    )`);
    await runner.query('ALTER TABLE broadcasts ADD COLUMN paused_because text, ADD COLUMN release_at timestamptz');
    await runner.query('DROP INDEX broadcasts_due');
    await runner.query(`CREATE INDEX broadcasts_due ON broadcasts (release_at) WHERE status = 'scheduled'`);
    await runner.query(`ALTER TABLE broadcast_progress
      ADD COLUMN skipped_unsubscribed bigint NOT NULL DEFAULT 0,
      ADD COLUMN skipped_not_subscribed bigint NOT NULL DEFAULT 0,
      ADD COLUMN skipped_suppressed bigint NOT NULL DEFAULT 0,
      ADD COLUMN skipped_deleted bigint NOT NULL DEFAULT 0,
      ADD COLUMN skipped_invalid bigint NOT NULL DEFAULT 0`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
