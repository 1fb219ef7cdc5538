import { MigrationInterface, QueryRunner } from 'typeorm';

/** The size of each version of an automation, so that those of a team are added up without reading their graphs. */
export class SizesOfAutomationVersions1763986000000 implements MigrationInterface {
  name = 'SizesOfAutomationVersions1763986000000';

  async up(runner: QueryRunner): Promise<void> {
    // The next migration fills it in. Null where a program of the release before adds a version meanwhile.
    await runner.query('ALTER TABLE automation_versions ADD COLUMN characters integer');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
