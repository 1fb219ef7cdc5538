import { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks of an email name the template that it was made from. */
export class TemplatesOfEmails1763900506500 implements MigrationInterface {
  name = 'TemplatesOfEmails1763900506500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE emails ADD COLUMN template_id uuid');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
