import { MigrationInterface, QueryRunner } from 'typeorm';

/** Images that emails show, and their bytes where no directory or bucket has them. */
export class Images1763930200000 implements MigrationInterface {
  name = 'Images1763930200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE images (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        alt text NOT NULL,
        type text NOT NULL,
        width integer NOT NULL,
        height integer NOT NULL,
        size integer NOT NULL,
        created_at timestamptz NOT NULL,
        removed_at timestamptz
      )`);
    await runner.query('CREATE INDEX images_of_team ON images (team_id, id)');
    await runner.query('CREATE INDEX images_removed ON images (id) WHERE removed_at IS NOT NULL');
    await runner.query('CREATE TABLE image_files (image_id uuid PRIMARY KEY, bytes bytea NOT NULL)');
    // They are compressed already.
    await runner.query('ALTER TABLE image_files ALTER COLUMN bytes SET STORAGE EXTERNAL');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
