import { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of each subject of a test. Broadcasts that began before have no such rows. */
export class BroadcastSubjects1763900503500 implements MigrationInterface {
  name = 'BroadcastSubjects1763900503500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE broadcast_subjects (
        broadcast_id uuid NOT NULL REFERENCES broadcasts ON DELETE CASCADE,
        variant smallint NOT NULL,
        sent bigint NOT NULL DEFAULT 0,
        delivered bigint NOT NULL DEFAULT 0,
        bounced bigint NOT NULL DEFAULT 0,
        complained bigint NOT NULL DEFAULT 0,
        opened bigint NOT NULL DEFAULT 0,
        clicked bigint NOT NULL DEFAULT 0,
        unsubscribed bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (broadcast_id, variant)
      ) WITH (fillfactor = 50)`);
    await runner.query('ALTER TABLE broadcast_recipients ADD COLUMN variant smallint');
    await runner.query('ALTER TABLE broadcast_runs ADD COLUMN decided_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE broadcast_runs DROP COLUMN decided_at');
    await runner.query('ALTER TABLE broadcast_recipients DROP COLUMN variant');
    await runner.query('DROP TABLE broadcast_subjects');
  }
}
