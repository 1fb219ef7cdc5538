import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whose mail waits. Rows of processes of the version before, which write none of it, have the nil UUID: who needs to know
 * looks it up.
 */
export class QueueOwners1763700590000 implements MigrationInterface {
  name = 'QueueOwners1763700590000';

  async up(runner: QueryRunner): Promise<void> {
    // A constant default rewrites nothing.
    await runner.query(`ALTER TABLE outbound_queue
      ADD COLUMN team_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
      ADD COLUMN domain_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
