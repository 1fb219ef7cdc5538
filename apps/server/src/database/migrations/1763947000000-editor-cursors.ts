import { MigrationInterface, QueryRunner } from 'typeorm';

/** Where those who have a content open have their carets. */
export class EditorCursors1763947000000 implements MigrationInterface {
  name = 'EditorCursors1763947000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE editor_presences ADD COLUMN anchor integer, ADD COLUMN head integer');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
