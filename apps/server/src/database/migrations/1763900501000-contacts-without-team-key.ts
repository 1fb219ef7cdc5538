import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Teams are never deleted, and each contact is written for the team of its principal. The check of the foreign key took
 * a tenth of the time of an import, and locked the row of the team once for each contact.
 */
export class ContactsWithoutTeamKey1763900501000 implements MigrationInterface {
  name = 'ContactsWithoutTeamKey1763900501000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts DROP CONSTRAINT IF EXISTS contacts_team_id_fkey');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE contacts ADD CONSTRAINT contacts_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams (id)',
    );
  }
}
