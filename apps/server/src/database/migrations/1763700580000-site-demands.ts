import { MigrationInterface, QueryRunner } from 'typeorm';

/** The demand of each worker for each site, by which the workers divide the site's messages per minute. */
export class SiteDemands1763700580000 implements MigrationInterface {
  name = 'SiteDemands1763700580000';

  async up(runner: QueryRunner): Promise<void> {
    // Not needed after a crash: the rows are replaced every second.
    await runner.query(`CREATE UNLOGGED TABLE site_demands (
      worker_id uuid PRIMARY KEY,
      told_at timestamptz NOT NULL,
      demands jsonb NOT NULL
    ) WITH (fillfactor = 50)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
