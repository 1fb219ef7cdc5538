import { MigrationInterface, QueryRunner } from 'typeorm';

/** The category of a refusal on each attempt; lanes whose site is down, and until when they are paused. */
export class DeliveryTrace1763700460000 implements MigrationInterface {
  name = 'DeliveryTrace1763700460000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  `ALTER TABLE delivery_attempts ADD COLUMN category text`,
  `CREATE TABLE lane_pauses (
    lane text PRIMARY KEY,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    failures integer NOT NULL,
    reason text NOT NULL
  )`,
  // Retries have their own index, apart from new mail, so that neither is slowed down by the other's backlog.
  `CREATE INDEX outbound_queue_retries ON outbound_queue (lane, due_at) WHERE due_at > queued_at`,
];
