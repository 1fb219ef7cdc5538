import { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an API key only reads and writes drafts. */
export class KeysThatOnlyDraft1763992366000 implements MigrationInterface {
  name = 'KeysThatOnlyDraft1763992366000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN only_drafts boolean NOT NULL DEFAULT false');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
