import { MigrationInterface, QueryRunner } from 'typeorm';

/** Fetched MTA-STS policies; the reason why a lane is held back; an index for new mail without retries. */
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
  // Written by the worker that has the lane; the trace shows it as the reason why a recipient waits.
  `ALTER TABLE lanes ADD COLUMN report jsonb`,
  // The counterpart of outbound_queue_retries, so that 100,000 due retries do not slow down the claim of new mail.
  `CREATE INDEX outbound_queue_fresh ON outbound_queue (lane, due_at) WHERE due_at <= queued_at`,
];
