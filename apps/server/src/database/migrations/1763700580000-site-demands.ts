import { MigrationInterface, QueryRunner } from 'typeorm';

/** What each worker wants to send to which sites, so that they divide the messages per minute of each. */
export class SiteDemands1763700580000 implements MigrationInterface {
  name = 'SiteDemands1763700580000';

  async up(runner: QueryRunner): Promise<void> {
    // Worth nothing after a crash: the next second's rows take its place.
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
