import { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints that were created over the API of another provider: the shape of their calls, and whose events they get. */
export class FormatsOfWebhooks1763993100000 implements MigrationInterface {
  name = 'FormatsOfWebhooks1763993100000';

  async up(runner: QueryRunner): Promise<void> {
    // The settings of a format are sealed, because they may have a password.
    await runner.query(
      `ALTER TABLE webhooks ADD COLUMN format text NOT NULL DEFAULT 'postrider', ADD COLUMN domain_id uuid,
         ADD COLUMN sealed_settings bytea`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
