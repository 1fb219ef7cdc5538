import { MigrationInterface, QueryRunner } from 'typeorm';

/** Idempotency keys, the shared rate limit, and the number of emails of each team per day and month. */
export class SendingLimits1763700300000 implements MigrationInterface {
  name = 'SendingLimits1763700300000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  // `answer` is json, not jsonb, so that a replay has the keys in the order of the first response.
  `CREATE TABLE idempotency_keys (
    team_id uuid NOT NULL,
    endpoint text NOT NULL,
    key text NOT NULL,
    expires_at timestamptz NOT NULL,
    fingerprint bytea NOT NULL,
    answer json NOT NULL,
    PRIMARY KEY (team_id, endpoint, key)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
  `CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at)`,

  // One row per team, updated a few times a second. It is UNLOGGED: after a crash every window is over anyway.
  `CREATE UNLOGGED TABLE rate_limit_windows (
    team_id uuid PRIMARY KEY,
    window_no bigint NOT NULL,
    used integer NOT NULL,
    granted integer NOT NULL
  ) WITH (fillfactor = 25)`,

  // `period` is a day (2026-11-21) or a month (2026-11), in UTC.
  `CREATE TABLE sending_usage (
    team_id uuid NOT NULL,
    period text NOT NULL,
    sent bigint NOT NULL DEFAULT 0,
    received bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (team_id, period)
  ) WITH (fillfactor = 25)`,
];
