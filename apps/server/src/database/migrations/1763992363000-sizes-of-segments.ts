import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many contacts were added to each segment. The triggers are those of `count-members.trigger.sql`: they are made here as well,
 * so that nothing is written between the first count and them.
 */
export class SizesOfSegments1763992363000 implements MigrationInterface {
  name = 'SizesOfSegments1763992363000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  'LOCK TABLE segment_contacts IN SHARE ROW EXCLUSIVE MODE',
  `CREATE TABLE segment_sizes (
    segment_id uuid NOT NULL,
    shard smallint NOT NULL,
    contacts bigint NOT NULL,
    PRIMARY KEY (segment_id, shard)
  ) WITH (fillfactor = 50)`,
  `INSERT INTO segment_sizes (segment_id, shard, contacts)
   SELECT segment_id, 0, count(*) FROM segment_contacts GROUP BY segment_id`,
  `CREATE FUNCTION count_members() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO segment_sizes AS s (segment_id, shard, contacts)
     SELECT segment_id, pg_backend_pid() % 32, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
     FROM changed GROUP BY segment_id ORDER BY segment_id
     ON CONFLICT (segment_id, shard) DO UPDATE SET contacts = s.contacts + EXCLUDED.contacts;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER count_added_members AFTER INSERT ON segment_contacts REFERENCING NEW TABLE AS changed
   FOR EACH STATEMENT EXECUTE FUNCTION count_members()`,
  `CREATE TRIGGER count_removed_members AFTER DELETE ON segment_contacts REFERENCING OLD TABLE AS changed
   FOR EACH STATEMENT EXECUTE FUNCTION count_members()`,
];
