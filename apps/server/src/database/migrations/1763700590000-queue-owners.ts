import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The team of each queued recipient. Rows written by processes of the previous version have the nil UUID; a reader that
 * needs the team then looks it up.
 */
export class QueueOwners1763700590000 implements MigrationInterface {
  name = 'QueueOwners1763700590000';

  async up(runner: QueryRunner): Promise<void> {
    // A constant default does not rewrite the table.
    await runner.query(`ALTER TABLE outbound_queue
      ADD COLUMN team_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
      ADD COLUMN domain_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
