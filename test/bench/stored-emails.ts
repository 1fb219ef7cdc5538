import type { Client } from 'pg';
import { firstIdAt } from '#kernel';

const dayMs = 86_400_000;

/** The tables with an email's history, without its content, which neither lists nor acceptance read. */
const tables = ['emails', 'recipients', 'email_events', 'delivery_attempts'];

/**
 * Writes emails of an existing team that were delivered over the last days, equally many each day: email, recipient, events
 * `sent` and `delivered`, one attempt. It writes directly to the tables, because sending them would take an hour.
 * @param sites domains of the recipients
 */
export async function storeEmails(client: Client, count: number, { days = 30, sites = 1 } = {}): Promise<void> {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const starts = Array.from({ length: days }, (_, index) => new Date(today - (days - index) * dayMs));
  // All partitions are created first: ids of the end of a day run into the next day while the statement runs.
  for (const start of starts) for (const table of tables) await ensurePartition(client, table, start);
  for (const start of starts) {
    await client.query(`
      WITH sent AS (
        INSERT INTO emails (id, team_id, domain_id, api_key_id, created_at, size, event_seq, last_event, message_id,
                            "from", "to", subject)
        SELECT uuidv7(timestamptz '${start.toISOString()}' + n * interval '1 day' / ${Math.ceil(count / days)} - now()),
               k.team_id, d.id, k.id, timestamptz '${start.toISOString()}', 4096, 2, 'delivered',
               '<' || n || '@bench.test>', 'Bench <bench@sandbox.postrider.test>', ARRAY['user' || n || '@sink' || coalesce(nullif(n % ${sites}, 0)::text, '') || '.test'],
               'Receipt ' || n
        FROM generate_series(0, ${Math.ceil(count / days) - 1}) AS n,
             (SELECT * FROM api_keys ORDER BY id LIMIT 1) k, (SELECT * FROM domains WHERE team_id = (
               SELECT team_id FROM api_keys ORDER BY id LIMIT 1) ORDER BY id LIMIT 1) d
        RETURNING id, created_at, "to"[1] AS address
      ), addressed AS (
        INSERT INTO recipients (email_id, no, status, address) SELECT id, 0, 'delivered', address FROM sent
      ), tried AS (
        INSERT INTO delivery_attempts (email_id, recipient_no, attempt, started_at, duration_ms, outcome, host, reply_code)
        SELECT id, 0, 1, created_at, 12, 'delivered', 'mx.sink.test', 250 FROM sent
      )
      INSERT INTO email_events (email_id, seq, recipient_no, created_at, type)
      SELECT id, s.seq, 0, created_at, s.type
      FROM sent, (VALUES (1, 'email.sent'), (2, 'email.delivered')) AS s (seq, type)`);
  }
  await client.query(`ANALYZE ${tables.join(', ')}`);
}

async function ensurePartition(client: Client, table: string, start: Date): Promise<void> {
  const name = `${table}_p${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
  const from = firstIdAt(start);
  const to = firstIdAt(new Date(start.getTime() + dayMs));
  await client.query(
    `CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF "${table}" FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
}
