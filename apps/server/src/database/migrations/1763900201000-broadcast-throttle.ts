import { MigrationInterface, QueryRunner } from 'typeorm';

/** Up to when the emails of a throttled broadcast use up its limit. */
export class BroadcastThrottle1763900201000 implements MigrationInterface {
  name = 'BroadcastThrottle1763900201000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE broadcast_runs ADD COLUMN paced_until timestamptz');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
