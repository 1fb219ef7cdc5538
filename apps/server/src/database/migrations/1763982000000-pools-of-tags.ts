import { MigrationInterface, QueryRunner } from 'typeorm';

/** A tag of a team, and the broadcasts of a team or a domain, use a pool as well. */
export class PoolsOfTags1763982000000 implements MigrationInterface {
  name = 'PoolsOfTags1763982000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sending_pool_uses
        ADD COLUMN for_broadcasts boolean NOT NULL DEFAULT false,
        ADD COLUMN tag_name text,
        -- NULL with a name: all values.
        ADD COLUMN tag_value text,
        ADD CHECK (tag_name IS NULL OR (domain_id IS NULL AND NOT for_broadcasts)),
        ADD CHECK (tag_value IS NULL OR tag_name IS NOT NULL),
        DROP CONSTRAINT sending_pool_uses_domain_id_key`);
    await runner.query('DROP INDEX sending_pool_uses_of_team');
    await runner.query(`
      CREATE UNIQUE INDEX sending_pool_uses_of_domain ON sending_pool_uses (domain_id, for_broadcasts)
        WHERE domain_id IS NOT NULL`);
    // A tag is never empty.
    await runner.query(`
      CREATE UNIQUE INDEX sending_pool_uses_of_team
        ON sending_pool_uses (team_id, for_broadcasts, coalesce(tag_name, ''), coalesce(tag_value, ''))
        WHERE domain_id IS NULL`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
