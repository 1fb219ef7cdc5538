import { MigrationInterface, QueryRunner } from 'typeorm';

/** Notices may go to a user of the service. Without a recipient they go to the operator. */
export class NoticeRecipients1763830010000 implements MigrationInterface {
  name = 'NoticeRecipients1763830010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notices ADD COLUMN recipient text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
