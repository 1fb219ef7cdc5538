import { MigrationInterface, QueryRunner } from 'typeorm';

/** Which worker sends for which region, and which domains another region stands in for. */
export class Regions1763960000000 implements MigrationInterface {
  name = 'Regions1763960000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE domains
        ADD COLUMN failover boolean NOT NULL DEFAULT false,
        ADD COLUMN stand_in text,
        ADD COLUMN moved_at timestamptz`);
    await runner.query('CREATE INDEX domains_failover ON domains (region) WHERE failover');
    await runner.query('CREATE INDEX domains_moved ON domains (moved_at) WHERE moved_at IS NOT NULL');
    await runner.query('ALTER TABLE workers ADD COLUMN region text');
    await runner.query('ALTER TABLE delivery_attempts ADD COLUMN region text');
    await runner.query(`
      CREATE TABLE regions (
        name text PRIMARY KEY,
        -- Since when a worker has sent for it without a break.
        alive_since timestamptz NOT NULL,
        seen_at timestamptz NOT NULL
      ) WITH (fillfactor = 50)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
