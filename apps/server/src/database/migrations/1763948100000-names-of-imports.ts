import { MigrationInterface, QueryRunner } from 'typeorm';

/** By which an import is recognized: when it was accepted alone says little. */
export class NamesOfImports1763948100000 implements MigrationInterface {
  name = 'NamesOfImports1763948100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contact_imports ADD COLUMN file_name text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
