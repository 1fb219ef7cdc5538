import { MigrationInterface, QueryRunner } from 'typeorm';

/** Delivery reports and complaints, and counters of all events. */
export class Feedback1763700520000 implements MigrationInterface {
  name = 'Feedback1763700520000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const counts: readonly (readonly [column: string, condition: string])[] = [
  ['sent', `f.type = 'email.sent'`],
  ['delivered', `f.type = 'email.delivered'`],
  ['delivery_delayed', `f.type = 'email.delivery_delayed'`],
  ['bounced', `f.type = 'email.bounced'`],
  ['bounced_transient', `f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Transient'`],
  ['bounced_permanent', `f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Permanent'`],
  ['complained', `f.type = 'email.complained'`],
  ['suppressed', `f.type = 'email.suppressed'`],
  ['failed', `f.type = 'email.failed'`],
  ['opened', `f.type = 'email.opened'`],
  ['clicked', `f.type = 'email.clicked'`],
  ['unique_opened', firstByHuman('email.opened', 'open')],
  ['unique_clicked', firstByHuman('email.clicked', 'click')],
];

/** The first event of its kind for its recipient, without visits of machines (privacy proxies, scanners). */
function firstByHuman(type: string, key: string): string {
  const byHuman = (alias: string): string => `(${alias}.data -> '${key}' ->> 'machine') IS DISTINCT FROM 'true'`;
  return `f.type = '${type}' AND ${byHuman('f')} AND NOT EXISTS (
            SELECT FROM email_events v WHERE v.email_id = f.email_id AND v.seq < f.seq AND v.type = '${type}'
              AND v.recipient_no IS NOT DISTINCT FROM f.recipient_no AND ${byHuman('v')})`;
}

const columns = counts.map(([column]) => column).join(', ');

const sums = counts.map(([, condition]) => `count(*) FILTER (WHERE ${condition})`).join(',\n         ');

/** The same for batches without opens and clicks: the look-up of earlier events costs time even if it finds nothing. */
const plainSums = counts
  .map(([column, condition]) => (column.startsWith('unique') ? '0' : `count(*) FILTER (WHERE ${condition})`))
  .join(',\n         ');

const quarterHour = `date_bin('15 minutes', f.created_at, 'epoch'::timestamptz)`;

/**
 * The lookup of an email is LATERAL with a limit: as a join it could be planned as a scan of a day's emails. The bounds let
 * PostgreSQL skip the partitions of other days. The order of the rows prevents deadlocks between writers.
 */
const countFresh = (summing: string): string => `
     INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, ${columns})
     SELECT e.team_id, ${quarterHour}, e.domain_id, pg_backend_pid() % 8, ${summing}
     FROM fresh f, LATERAL (
       SELECT team_id, domain_id FROM emails WHERE id = f.email_id AND id BETWEEN first_id AND last_id LIMIT 1
     ) e
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE
     SET ${counts.map(([column]) => `${column} = c.${column} + EXCLUDED.${column}`).join(', ')};`;

const statements = [
  `CREATE TABLE feedback_reports (
    email_id uuid NOT NULL,
    recipient_no smallint NOT NULL,
    digest bytea NOT NULL,
    received_at timestamptz NOT NULL,
    kind text NOT NULL,
    reporter text,
    action text,
    status text,
    category text,
    diagnostic text,
    effect text NOT NULL,
    PRIMARY KEY (email_id, recipient_no, digest)
  ) PARTITION BY RANGE (email_id)`,
  // Reports also arrive for emails of past days, for which partitions are no longer created.
  `DO $$ DECLARE day record; BEGIN
     FOR day IN SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) AS bounds
                FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'emails'::regclass LOOP
       EXECUTE format('CREATE TABLE %I PARTITION OF feedback_reports %s',
                      regexp_replace(day.relname, '^emails', 'feedback_reports'), day.bounds);
     END LOOP;
   END $$`,

  // Quarters of an hour, because some time zones begin their day at :15, :30 or :45. Each has several rows (shards), so
  // that processes which count at the same time seldom wait for each other's commit.
  `CREATE TABLE email_counters (
    team_id uuid NOT NULL,
    quarter timestamptz NOT NULL,
    domain_id uuid NOT NULL,
    shard smallint NOT NULL,
    ${counts.map(([column]) => `${column} bigint NOT NULL`).join(', ')},
    PRIMARY KEY (team_id, quarter, domain_id, shard)
  ) WITH (fillfactor = 40)`,
  `INSERT INTO email_counters (team_id, quarter, domain_id, shard, ${columns})
   SELECT e.team_id, ${quarterHour}, e.domain_id, 0, ${sums}
   FROM email_events f JOIN emails e ON e.id = f.email_id GROUP BY 1, 2, 3`,
  `CREATE FUNCTION count_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     first_id uuid;
     last_id uuid;
   BEGIN
     SELECT email_id INTO first_id FROM fresh ORDER BY email_id LIMIT 1;
     IF first_id IS NULL THEN RETURN NULL; END IF;
     SELECT email_id INTO last_id FROM fresh ORDER BY email_id DESC LIMIT 1;
     IF EXISTS (SELECT FROM fresh WHERE type IN ('email.opened', 'email.clicked')) THEN
       ${countFresh(sums)}
     ELSE
       ${countFresh(plainSums)}
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER count_email_events AFTER INSERT ON email_events
   REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION count_email_events()`,
];
