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
    await runner.query(`
      CREATE FUNCTION saved_sections_in(document text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
        SELECT coalesce(array_agg(DISTINCT found[1]), '{}')
        FROM regexp_matches(document, '"savedId":"([^"]{1,60})"', 'g') found
      $$`);
    // Few documents have a saved section: the indexes name those, and a search reads no document.
    await runner.query(`
      CREATE INDEX broadcasts_by_section ON broadcasts USING gin (saved_sections_in(document))
      WHERE content_source = 'editor' AND document LIKE '%"savedId":"%'`);
    await runner.query(`
      CREATE INDEX template_versions_by_section ON template_versions USING gin (saved_sections_in(document))
      WHERE content_source = 'editor' AND document LIKE '%"savedId":"%'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
