import { MigrationInterface, QueryRunner } from 'typeorm';

/** The installed definitions of views, functions and triggers, in their order. See `installDefinitions`. */
export class InstalledDefinitions1763700610000 implements MigrationInterface {
  name = 'InstalledDefinitions1763700610000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE installed_definitions (
      name text NOT NULL,
      hash text NOT NULL,
      no bigint GENERATED ALWAYS AS IDENTITY,
      installed_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (name, hash)
    )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
