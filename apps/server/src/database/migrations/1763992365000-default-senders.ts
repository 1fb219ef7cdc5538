import { MigrationInterface, QueryRunner } from 'typeorm';

/** The sender with which a team's forms begin. Null: none was chosen. */
export class DefaultSenders1763992365000 implements MigrationInterface {
  name = 'DefaultSenders1763992365000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE teams ADD COLUMN default_from text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
