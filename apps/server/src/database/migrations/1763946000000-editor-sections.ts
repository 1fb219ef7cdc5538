import { MigrationInterface, QueryRunner } from 'typeorm';

/** Sections that teams use in many documents, and the documents that may have some. */
export class EditorSections1763946000000 implements MigrationInterface {
  name = 'EditorSections1763946000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE editor_sections (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        name text NOT NULL,
        document text NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX editor_sections_of_team ON editor_sections (team_id, id)');
    // Few documents have a saved section: the index names those, and a search reads no others.
    await runner.query(`
      CREATE INDEX broadcasts_with_sections ON broadcasts (team_id, id)
      WHERE content_source = 'editor' AND document LIKE '%"savedId":"%'`);
    await runner.query(`
      CREATE INDEX template_versions_with_sections ON template_versions (team_id, id)
      WHERE content_source = 'editor' AND document LIKE '%"savedId":"%'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
