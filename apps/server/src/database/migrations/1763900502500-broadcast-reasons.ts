import { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a broadcast has paused itself before, so that it does not pause again for what somebody has decided about. */
export class BroadcastReasons1763900502500 implements MigrationInterface {
  name = 'BroadcastReasons1763900502500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE broadcast_runs ADD COLUMN paused_for text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE broadcast_runs DROP COLUMN paused_for');
  }
}
