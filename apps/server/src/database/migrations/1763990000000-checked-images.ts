import { MigrationInterface, QueryRunner } from 'typeorm';

/** When it was last asked whether something names a removed image, so that each has its turn. */
export class CheckedImages1763990000000 implements MigrationInterface {
  name = 'CheckedImages1763990000000';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE images ADD COLUMN IF NOT EXISTS checked_at timestamptz');
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS images_to_check');
    await runner.query(
      `CREATE INDEX CONCURRENTLY images_to_check ON images (checked_at NULLS FIRST, id) WHERE removed_at IS NOT NULL`,
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS images_removed');
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
