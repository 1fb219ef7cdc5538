import { MigrationInterface, QueryRunner } from 'typeorm';

/** The documents of the editor from which the contents of broadcasts and templates are rendered. */
export class DocumentsOfContents1763930000000 implements MigrationInterface {
  name = 'DocumentsOfContents1763930000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['broadcasts', 'template_versions']) {
      await runner.query(`
        ALTER TABLE ${table}
          ADD COLUMN document text,
          ADD COLUMN content_source text NOT NULL DEFAULT 'html',
          ADD COLUMN content_revision integer NOT NULL DEFAULT 0`);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
