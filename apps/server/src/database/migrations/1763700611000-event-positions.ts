import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The order in which consumers read the events of emails, and how far each consumer has come.
 *
 * Events of before have no position and come to no consumer. A transaction has its id before it draws a position (CASE keeps
 * that order): `EventConsumer` depends on it. CACHE 1, because positions must ascend across sessions.
 */
export class EventPositions1763700611000 implements MigrationInterface {
  name = 'EventPositions1763700611000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  'CREATE SEQUENCE email_event_positions CACHE 1',
  // A default that comes with the column would rewrite the table.
  'ALTER TABLE email_events ADD COLUMN position bigint',
  `ALTER TABLE email_events ALTER COLUMN position
   SET DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('email_event_positions') END`,
  `CREATE TABLE event_consumers (
    name text PRIMARY KEY,
    position bigint NOT NULL DEFAULT 0,
    safe_position bigint NOT NULL DEFAULT 0,
    fence_position bigint,
    fence_xid xid8,
    holder uuid,
    held_until timestamptz NOT NULL DEFAULT '-infinity'
  ) WITH (fillfactor = 25)`,
];
