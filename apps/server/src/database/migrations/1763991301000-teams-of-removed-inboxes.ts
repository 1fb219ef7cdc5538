import { MigrationInterface, QueryRunner } from 'typeorm';

/** The teams of removed inboxes, for erasures of their mail. Of those that are removed already retention takes care. */
export class TeamsOfRemovedInboxes1763991301000 implements MigrationInterface {
  name = 'TeamsOfRemovedInboxes1763991301000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE inbox_removals ADD COLUMN team_id uuid;
      CREATE INDEX inbox_removals_of_team ON inbox_removals (team_id);`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
