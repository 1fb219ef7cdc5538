import { MigrationInterface, QueryRunner } from 'typeorm';

interface Row {
  readonly name: string;
}

/**
 * An index for the events after a position. Later partitions inherit it from their table. Existing ones get it
 * CONCURRENTLY, one by one, which blocks no writer.
 */
export class EventPositionIndex1763700612000 implements MigrationInterface {
  name = 'EventPositionIndex1763700612000';
  /** CONCURRENTLY cannot run in a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX IF NOT EXISTS email_events_position ON ONLY email_events (position) WHERE position IS NOT NULL`,
    );
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    for (const { name } of await partitionsWithout(runner)) {
      // An interrupted build leaves an invalid index with this name.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}_position"`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY "${name}_position" ON "${name}" (position) WHERE position IS NOT NULL`,
      );
      await runner.query(`ALTER INDEX email_events_position ATTACH PARTITION "${name}_position"`);
    }
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

async function partitionsWithout(runner: QueryRunner): Promise<readonly Row[]> {
  return (await runner.query(
    `SELECT c.relname AS name FROM pg_inherits p JOIN pg_class c ON c.oid = p.inhrelid
     WHERE p.inhparent = 'email_events'::regclass AND NOT p.inhdetachpending AND NOT EXISTS (
       SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
       WHERE i.indrelid = c.oid AND a.inhparent = 'email_events_position'::regclass)
     ORDER BY c.relname`,
  )) as Row[];
}
