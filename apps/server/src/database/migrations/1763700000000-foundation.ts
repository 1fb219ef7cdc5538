import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Teams, keys, domains, emails and the outbound queue.
 *
 * History (`emails`, `recipients`, `email_events`, `delivery_attempts`, `message_contents`) is partitioned by day over
 * the email's UUIDv7: everything about one email lies in the partitions of the day it was accepted. `outbound_queue`
 * has only recipients that are still to be delivered, so it stays small however long the history is.
 */
export class Foundation1763700000000 implements MigrationInterface {
  name = 'Foundation1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  `CREATE TABLE teams (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    name text NOT NULL,
    permission text NOT NULL CHECK (permission IN ('full_access', 'sending_access')),
    domain_id uuid,
    token_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
  )`,
  `CREATE INDEX api_keys_of_team ON api_keys (team_id, id)`,

  `CREATE TABLE domains (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    name text NOT NULL UNIQUE,
    status text NOT NULL,
    region text NOT NULL,
    custom_return_path text NOT NULL,
    sandbox boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL
  )`,
  `CREATE INDEX domains_of_team ON domains (team_id, id)`,
  `CREATE TABLE dkim_keys (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains ON DELETE CASCADE,
    selector text NOT NULL,
    algorithm text NOT NULL CHECK (algorithm IN ('rsa-sha256', 'ed25519-sha256')),
    public_key text NOT NULL,
    sealed_private_key bytea NOT NULL,
    signing boolean NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (domain_id, selector)
  )`,

  // Key columns first, then fixed-width ones; the columns that change (last_event, event_seq) are in no index.
  `CREATE TABLE emails (
    id uuid NOT NULL,
    team_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    topic_id uuid,
    created_at timestamptz NOT NULL,
    scheduled_at timestamptz,
    size integer NOT NULL,
    event_seq integer NOT NULL,
    last_event text NOT NULL,
    message_id text NOT NULL,
    "from" text NOT NULL,
    "to" text[] NOT NULL,
    cc text[],
    bcc text[],
    reply_to text[],
    subject text NOT NULL,
    headers jsonb,
    tags jsonb,
    attachments jsonb,
    PRIMARY KEY (id)
  ) PARTITION BY RANGE (id)`,
  `CREATE INDEX emails_of_team ON emails (team_id, id)`,
  `CREATE TABLE recipients (
    email_id uuid NOT NULL,
    no smallint NOT NULL,
    status text NOT NULL,
    address text NOT NULL,
    PRIMARY KEY (email_id, no)
  ) PARTITION BY RANGE (email_id)`,
  `CREATE TABLE email_events (
    email_id uuid NOT NULL,
    seq integer NOT NULL,
    recipient_no smallint,
    created_at timestamptz NOT NULL,
    type text NOT NULL,
    data jsonb,
    PRIMARY KEY (email_id, seq)
  ) PARTITION BY RANGE (email_id)`,
  `CREATE TABLE delivery_attempts (
    email_id uuid NOT NULL,
    recipient_no smallint NOT NULL,
    attempt smallint NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms integer NOT NULL,
    outcome text NOT NULL,
    reason text,
    host text,
    address text,
    tls jsonb,
    reply_code smallint,
    enhanced_code text,
    reply_text text,
    PRIMARY KEY (email_id, recipient_no, attempt)
  ) PARTITION BY RANGE (email_id)`,
  // Bytes are stored in chunks, so that a large message is never one value. A small message has one chunk.
  `CREATE TABLE message_contents (
    id uuid NOT NULL,
    chunk integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (id, chunk)
  ) PARTITION BY RANGE (id)`,
  `ALTER TABLE message_contents ALTER COLUMN bytes SET STORAGE EXTERNAL`,

  `CREATE TABLE scheduled_emails (
    email_id uuid PRIMARY KEY,
    due_at timestamptz NOT NULL
  )`,
  `CREATE INDEX scheduled_emails_due ON scheduled_emails (due_at)`,

  `CREATE TABLE workers (
    id uuid PRIMARY KEY,
    started_at timestamptz NOT NULL,
    heartbeat_at timestamptz NOT NULL
  )`,
  `CREATE TABLE lanes (
    name text PRIMARY KEY,
    worker_id uuid NOT NULL,
    taken_at timestamptz NOT NULL
  )`,
  // A row exists from acceptance to the final outcome. worker_id and lease name the worker that is delivering it.
  `CREATE TABLE outbound_queue (
    email_id uuid NOT NULL,
    recipient_no smallint NOT NULL,
    attempt smallint NOT NULL DEFAULT 0,
    lease integer NOT NULL DEFAULT 0,
    size integer NOT NULL,
    worker_id uuid,
    due_at timestamptz NOT NULL,
    queued_at timestamptz NOT NULL,
    lane text NOT NULL,
    address text NOT NULL,
    PRIMARY KEY (email_id, recipient_no)
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
          autovacuum_vacuum_cost_delay = 1)`,
  // Claiming changes no indexed column, so it stays on its page (HOT) and touches no index.
  `CREATE INDEX outbound_queue_due ON outbound_queue (lane, due_at)`,
];
