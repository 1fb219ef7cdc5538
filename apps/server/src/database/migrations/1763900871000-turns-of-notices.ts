import { MigrationInterface, QueryRunner } from 'typeorm';

/** Urgent notices go first, and owners take turns. */
export class TurnsOfNotices1763900871000 implements MigrationInterface {
  name = 'TurnsOfNotices1763900871000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE notices ADD COLUMN is_urgent boolean NOT NULL DEFAULT false,
                                            ADD COLUMN owner text NOT NULL DEFAULT 'operator'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notices DROP COLUMN is_urgent, DROP COLUMN owner');
  }
}
