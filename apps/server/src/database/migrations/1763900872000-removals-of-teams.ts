import { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the oldest removal of the next team. */
export class RemovalsOfTeams1763900872000 implements MigrationInterface {
  name = 'RemovalsOfTeams1763900872000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX audience_removals_of_team ON audience_removals (team_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audience_removals_of_team');
  }
}
