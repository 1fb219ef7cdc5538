import { MigrationInterface, QueryRunner } from 'typeorm';

/** How long each phase of an attempt took. */
export class AttemptTimings1763700550000 implements MigrationInterface {
  name = 'AttemptTimings1763700550000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE delivery_attempts ADD COLUMN timings jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
