import { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that cannot be dealt with are held back, so that they do not stop the others. */
export class HeldEvents1763987000000 implements MigrationInterface {
  name = 'HeldEvents1763987000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE custom_event_occurrences
        ADD COLUMN troubles smallint NOT NULL DEFAULT 0,
        ADD COLUMN held_until timestamptz`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
