import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhooks, and the outbox of events that belong to no email.
 *
 * A trigger makes the messages to endpoints in the statement that writes an event, so that no code can write an event
 * without its messages. `webhook_messages` and `webhook_attempts` are history, partitioned by day over the message's
 * UUIDv7; `webhook_queue` has only messages that are still to be sent. A message refers to its event, from which the
 * payload is made when it is sent.
 */
export class Webhooks1763700510000 implements MigrationInterface {
  name = 'Webhooks1763700510000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** Notifies with the commit; topic and channel are those of the program's broadcasts. Lanes that a worker has poll. */
const wakeIdleLanes = `
  SELECT count(pg_notify('postrider_broadcast', 'webhook-work:' || t.webhook_id)) INTO woken
  FROM (SELECT DISTINCT webhook_id FROM told) t
  WHERE NOT EXISTS (SELECT FROM webhook_lanes l WHERE l.webhook_id = t.webhook_id AND l.until > now())`;

const writeMessages = `
  logged AS (
    INSERT INTO webhook_messages (id, webhook_id, seq, created_at, type, status, source_id)
    SELECT id, webhook_id, seq, created_at, type, 'pending', source_id FROM told
  ), queued AS (
    INSERT INTO webhook_queue (message_id, webhook_id, seq, created_at, due_at, type, source_id)
    SELECT id, webhook_id, seq, created_at, created_at, type, source_id FROM told
  )`;

/** Allows index probes only, whatever the statistics were when the session planned the statement. */
const byIndex = `SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off`;

const statements = [
  // Replaces `domain_events`, which stays until no process of the previous version writes to it. Its rows need no copy,
  // because there were no endpoints to receive them.
  // The data is stored as unchanged text, so that an endpoint gets the same bytes every time.
  `CREATE TABLE team_events (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    type text NOT NULL,
    data json NOT NULL
  ) PARTITION BY RANGE (id)`,

  `CREATE TABLE webhooks (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    created_at timestamptz NOT NULL,
    endpoint text NOT NULL,
    events text[] NOT NULL,
    status text NOT NULL CHECK (status IN ('enabled', 'disabled')),
    disabled_reason text,
    sealed_secret bytea NOT NULL,
    sealed_previous_secret bytea,
    previous_secret_until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    last_failure_at timestamptz,
    probe_at timestamptz
  ) WITH (fillfactor = 75)`,
  `CREATE INDEX webhooks_of_team ON webhooks (team_id, id)`,
  `CREATE INDEX webhooks_with_previous_secret ON webhooks (previous_secret_until)
    WHERE previous_secret_until IS NOT NULL`,
  // The worker that sends to an endpoint. A lane whose lease has expired is free.
  `CREATE TABLE webhook_lanes (
    webhook_id uuid PRIMARY KEY,
    worker_id uuid NOT NULL,
    until timestamptz NOT NULL
  ) WITH (fillfactor = 50)`,

  // One index serves the list and the single message. seq is null if the source is not an email.
  `CREATE TABLE webhook_messages (
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    source_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    seq integer,
    type text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'attempting', 'success', 'failed')),
    PRIMARY KEY (webhook_id, id)
  ) PARTITION BY RANGE (id)`,
  `CREATE TABLE webhook_attempts (
    message_id uuid NOT NULL,
    id uuid NOT NULL,
    sent_at timestamptz NOT NULL,
    duration_ms integer NOT NULL,
    http_status smallint NOT NULL,
    response text NOT NULL,
    PRIMARY KEY (message_id, id)
  ) PARTITION BY RANGE (message_id)`,
  // A result counts only if attempt and round are still the same, so that a late one of another worker changes nothing.
  `CREATE TABLE webhook_queue (
    message_id uuid PRIMARY KEY,
    webhook_id uuid NOT NULL,
    source_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    seq integer,
    attempt smallint NOT NULL DEFAULT 0,
    round integer NOT NULL DEFAULT 0,
    type text NOT NULL
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 1)`,
  `CREATE INDEX webhook_queue_due ON webhook_queue (webhook_id, due_at, message_id)`,

  // UUIDv7 with the microsecond in its first random bits (RFC 9562 section 6.2, method 3), because the messages of one
  // email must sort like its events. PostgreSQL has a built-in uuidv7() only since version 18.
  `CREATE FUNCTION webhook_message_id(moment timestamptz, nth bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
            || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid
    FROM (SELECT (extract(epoch FROM moment) * 1000000)::bigint + nth AS us) AS t
  $$`,

  `CREATE FUNCTION tell_webhooks_of_email_events() RETURNS trigger LANGUAGE plpgsql ${byIndex} AS $$
  DECLARE
    moment timestamptz := clock_timestamp();
    first uuid;
    last uuid;
    woken bigint;
  BEGIN
    IF NOT EXISTS (SELECT FROM webhooks) THEN RETURN NULL; END IF;
    SELECT email_id INTO first FROM added ORDER BY email_id LIMIT 1;
    IF first IS NULL THEN RETURN NULL; END IF;
    SELECT email_id INTO last FROM added ORDER BY email_id DESC LIMIT 1;
    WITH told AS MATERIALIZED (
      SELECT webhook_message_id(moment, row_number() OVER (ORDER BY n.created_at, n.email_id, n.seq)) AS id,
             w.id AS webhook_id, n.email_id AS source_id, n.seq, n.created_at, n.type
      FROM added n
      CROSS JOIN LATERAL (SELECT team_id FROM emails WHERE id = n.email_id AND id BETWEEN first AND last LIMIT 1) e
      JOIN webhooks w ON w.team_id = e.team_id AND n.type = ANY (w.events)
    ), ${writeMessages} ${wakeIdleLanes};
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION tell_webhooks_of_team_events() RETURNS trigger LANGUAGE plpgsql ${byIndex} AS $$
  DECLARE
    moment timestamptz := clock_timestamp();
    woken bigint;
  BEGIN
    WITH told AS MATERIALIZED (
      SELECT webhook_message_id(moment, row_number() OVER (ORDER BY n.created_at, n.id)) AS id,
             w.id AS webhook_id, n.id AS source_id, NULL::integer AS seq, n.created_at, n.type
      FROM added n JOIN webhooks w ON w.team_id = n.team_id AND n.type = ANY (w.events)
    ), ${writeMessages} ${wakeIdleLanes};
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER tell_webhooks AFTER INSERT ON email_events REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tell_webhooks_of_email_events()`,
  `CREATE TRIGGER tell_webhooks AFTER INSERT ON team_events REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION tell_webhooks_of_team_events()`,
];
