import { MigrationInterface, QueryRunner } from 'typeorm';

/** MTA-STS policies as they were fetched; what holds a lane back; new mail apart from retries. */
export class SiteLimits1763700540000 implements MigrationInterface {
  name = 'SiteLimits1763700540000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  `CREATE TABLE sts_policies (
    domain text PRIMARY KEY,
    policy_id text NOT NULL,
    mode text NOT NULL CHECK (mode IN ('enforce', 'testing', 'none')),
    mx text[] NOT NULL,
    max_age integer NOT NULL,
    fetched_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  `CREATE INDEX sts_policies_expired ON sts_policies (expires_at)`,
  // Of the worker that has the lane, for whoever wants to know what a recipient waits for.
  `ALTER TABLE lanes ADD COLUMN report jsonb`,
  // The counterpart of outbound_queue_retries: 100,000 due retries in front of new mail cost its claim nothing.
  `CREATE INDEX outbound_queue_fresh ON outbound_queue (lane, due_at) WHERE due_at <= queued_at`,
];
