import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Broadcasts, their recipients and what became of them. None of these tables is partitioned by day: the statistics of a
 * broadcast outlive its emails. What belongs to a recipient has no foreign keys, so that a million rows cost no million
 * checks; a broadcast with recipients is never deleted, and a recipient outlives its contact.
 */
export class Broadcasts1763900000000 implements MigrationInterface {
  name = 'Broadcasts1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await broadcasts(runner);
    await recipients(runner);
    await links(runner);
    await counters(runner);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

async function broadcasts(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE broadcasts (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    name text,
    segment_id uuid NOT NULL,
    topic_id uuid,
    "from" text NOT NULL,
    reply_to text[],
    subject text NOT NULL,
    preview_text text,
    html text,
    text text,
    status text NOT NULL CHECK (status IN ('draft', 'scheduled', 'queued', 'paused', 'sent', 'canceled')),
    options jsonb NOT NULL,
    domain_id uuid,
    scheduled_at timestamptz,
    queued_at timestamptz,
    sent_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    api_key_id uuid,
    actor_kind text,
    actor_id uuid
  ) WITH (fillfactor = 80)`);
  await runner.query('CREATE INDEX broadcasts_of_team ON broadcasts (team_id, id)');
  await runner.query(`CREATE INDEX broadcasts_due ON broadcasts (scheduled_at) WHERE status = 'scheduled'`);
  await runner.query(`CREATE INDEX broadcasts_running ON broadcasts (queued_at, id) WHERE status = 'queued'`);
}

async function recipients(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE broadcast_recipients (
    broadcast_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    team_id uuid NOT NULL,
    email text NOT NULL,
    email_id uuid,
    outcome text NOT NULL CHECK (outcome IN ('planned', 'accepted', 'skipped')),
    reason text,
    PRIMARY KEY (broadcast_id, contact_id)
  ) WITH (fillfactor = 80)`);
  await runner.query(
    'CREATE INDEX broadcast_recipients_by_address ON broadcast_recipients (team_id, email, broadcast_id)',
  );
  await runner.query('CREATE INDEX broadcast_recipients_of_contact ON broadcast_recipients (contact_id, broadcast_id)');
  await runner.query(
    `CREATE INDEX broadcast_recipients_of_email ON broadcast_recipients (email_id) WHERE email_id IS NOT NULL`,
  );
  // One row for each kind of thing that happened to a recipient: rows are added, so that no row is written again and
  // again in many indexes, and each kind is a page by its primary key.
  await runner.query(`CREATE TABLE broadcast_results (
    broadcast_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN (
      'sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'suppressed', 'failed')),
    contact_id uuid NOT NULL,
    count integer NOT NULL DEFAULT 1,
    bounce_type text CHECK (bounce_type IN ('permanent', 'transient', 'undetermined')),
    first_at timestamptz NOT NULL,
    PRIMARY KEY (broadcast_id, kind, contact_id)
  ) WITH (fillfactor = 90)`);
  await runner.query(`CREATE INDEX broadcast_results_of_bounces ON broadcast_results (broadcast_id, bounce_type, contact_id)
    WHERE kind = 'bounced'`);
}

async function links(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE broadcast_links (
    broadcast_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    clicks bigint NOT NULL,
    unique_clicks bigint NOT NULL,
    PRIMARY KEY (broadcast_id, id)
  ) WITH (fillfactor = 70)`);
  await runner.query('CREATE INDEX broadcast_links_by_clicks ON broadcast_links (broadcast_id, clicks, id)');
  await runner.query(`CREATE TABLE broadcast_recipient_links (
    broadcast_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    link_id uuid NOT NULL,
    clicks integer NOT NULL,
    PRIMARY KEY (broadcast_id, contact_id, link_id)
  )`);
}

async function counters(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE broadcast_progress (
    broadcast_id uuid PRIMARY KEY REFERENCES broadcasts ON DELETE CASCADE,
    team_id uuid NOT NULL,
    planned bigint NOT NULL DEFAULT 0,
    accepted bigint NOT NULL DEFAULT 0,
    skipped bigint NOT NULL DEFAULT 0,
    sent bigint NOT NULL DEFAULT 0,
    delivered bigint NOT NULL DEFAULT 0,
    delivery_delayed bigint NOT NULL DEFAULT 0,
    bounced bigint NOT NULL DEFAULT 0,
    complained bigint NOT NULL DEFAULT 0,
    suppressed bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    opened bigint NOT NULL DEFAULT 0,
    clicked bigint NOT NULL DEFAULT 0,
    unsubscribed bigint NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`);
  await runner.query(`CREATE TABLE broadcast_counters (
    team_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    quarter timestamptz NOT NULL,
    domain_id uuid NOT NULL,
    sent bigint NOT NULL DEFAULT 0,
    delivered bigint NOT NULL DEFAULT 0,
    delivery_delayed bigint NOT NULL DEFAULT 0,
    bounced bigint NOT NULL DEFAULT 0,
    bounced_transient bigint NOT NULL DEFAULT 0,
    bounced_permanent bigint NOT NULL DEFAULT 0,
    complained bigint NOT NULL DEFAULT 0,
    suppressed bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    opened bigint NOT NULL DEFAULT 0,
    clicked bigint NOT NULL DEFAULT 0,
    unique_opened bigint NOT NULL DEFAULT 0,
    unique_clicked bigint NOT NULL DEFAULT 0,
    unsubscribed bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (team_id, broadcast_id, quarter)
  ) WITH (fillfactor = 50)`);
  await runner.query('CREATE INDEX broadcast_counters_by_time ON broadcast_counters (team_id, quarter)');
}
