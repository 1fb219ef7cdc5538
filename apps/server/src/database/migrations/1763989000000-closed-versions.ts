import { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions that nothing is added to: what was there before another content took its place. */
export class ClosedVersions1763989000000 implements MigrationInterface {
  name = 'ClosedVersions1763989000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE editor_versions ADD COLUMN is_closed boolean NOT NULL DEFAULT false');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
