import { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of mail by mailbox provider, and positions of unsubscribes for the consumer that counts them. */
export class ProviderCounts1763920000000 implements MigrationInterface {
  name = 'ProviderCounts1763920000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE provider_counts (
        domain_id uuid NOT NULL,
        day date NOT NULL,
        provider text NOT NULL,
        -- What is counted, such as 'delivered' or 'bounced/content'.
        kind text NOT NULL,
        count bigint NOT NULL,
        -- The last reply of this kind, without addresses, and the email that got it.
        reply text,
        email_id uuid,
        PRIMARY KEY (domain_id, day, provider, kind)
      ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX provider_counts_by_day ON provider_counts (day)');
    await runner.query(`
      CREATE TABLE provider_hours (
        domain_id uuid NOT NULL,
        hour timestamptz NOT NULL,
        provider text NOT NULL,
        team_id uuid NOT NULL,
        delivered bigint NOT NULL,
        deferred bigint NOT NULL,
        bounced bigint NOT NULL,
        bad_addresses bigint NOT NULL,
        refused_as_spam bigint NOT NULL,
        complained bigint NOT NULL,
        PRIMARY KEY (domain_id, hour, provider)
      ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX provider_hours_by_hour ON provider_hours (hour, domain_id, provider)');
    await runner.query('CREATE SEQUENCE contact_unsubscribe_positions CACHE 1');
    await runner.query('ALTER TABLE contact_unsubscribes ADD COLUMN position bigint');
    // The transaction gets its id before it draws a position, as consumers need it.
    await runner.query(`
      ALTER TABLE contact_unsubscribes ALTER COLUMN position SET DEFAULT
        CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('contact_unsubscribe_positions') END`);
    await runner.query(
      'CREATE INDEX contact_unsubscribes_position ON contact_unsubscribes (position) WHERE position IS NOT NULL',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
