import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Many emails may share one content. `content_id` is its id in the message store, of the same day as the email's id, so
 * that both are dropped together; NULL means the email's own id. `merge_values` replace the merge tags.
 */
export class SharedContent1763700621000 implements MigrationInterface {
  name = 'SharedContent1763700621000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE emails ADD COLUMN content_id uuid, ADD COLUMN merge_values jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
