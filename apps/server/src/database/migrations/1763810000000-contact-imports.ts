import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Imports of contacts: the files, in chunks until they are imported, how far each import is, and the rows that were
 * refused.
 *
 * The chunks are stored as they are, because PostgreSQL's compression costs more CPU than the space is worth for an
 * hour.
 */
export class ContactImports1763810000000 implements MigrationInterface {
  name = 'ContactImports1763810000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  `CREATE TABLE contact_imports (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    api_key_id uuid,
    actor_kind text,
    actor_id uuid,
    status text NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed', 'failed')),
    format jsonb NOT NULL,
    mapping jsonb NOT NULL,
    on_conflict text NOT NULL CHECK (on_conflict IN ('upsert', 'skip')),
    segment_ids uuid[] NOT NULL,
    topics jsonb NOT NULL,
    size bigint NOT NULL,
    chunk integer NOT NULL,
    chunk_offset integer NOT NULL,
    line integer NOT NULL,
    total integer NOT NULL DEFAULT 0,
    created integer NOT NULL DEFAULT 0,
    updated integer NOT NULL DEFAULT 0,
    skipped integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    failure text,
    troubles smallint NOT NULL DEFAULT 0,
    holder uuid,
    held_until timestamptz NOT NULL DEFAULT '-infinity',
    turn_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    completed_at timestamptz
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX contact_imports_of_team ON contact_imports (team_id, id)',
  'CREATE INDEX contact_imports_by_status ON contact_imports (team_id, status, id)',
  'CREATE INDEX contact_imports_unfinished ON contact_imports (team_id, id) WHERE completed_at IS NULL',
  `CREATE TABLE contact_import_chunks (
    import_id uuid NOT NULL,
    no integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (import_id, no)
  )`,
  'ALTER TABLE contact_import_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL',
  `CREATE TABLE contact_import_refusals (
    import_id uuid NOT NULL,
    line integer NOT NULL,
    column_name text NOT NULL,
    value text NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (import_id, line)
  )`,
];
