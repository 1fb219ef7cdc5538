import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The order in which consumers read the events of emails, and the cursor of each consumer. The column gets its default
 * with the migration of the first consumer (`emailEventPositions`). Until then events have no position, and the column
 * and its index cost nothing. Consumers do not receive those earlier events.
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
  'ALTER TABLE email_events ADD COLUMN position bigint',
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
