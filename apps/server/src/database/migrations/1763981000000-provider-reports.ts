import { MigrationInterface, QueryRunner } from 'typeorm';

/** What Google and Microsoft say about our mail. */
export class ProviderReports1763981000000 implements MigrationInterface {
  name = 'ProviderReports1763981000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE provider_imports (
        source text PRIMARY KEY,
        -- Nobody asks before.
        next_at timestamptz NOT NULL,
        succeeded_at timestamptz,
        account text,
        note text,
        trouble text
      )`);
    await runner.query(`
      CREATE TABLE google_domain_days (
        domain_id uuid NOT NULL,
        day date NOT NULL,
        shares jsonb NOT NULL,
        PRIMARY KEY (domain_id, day)
      )`);
    await runner.query('CREATE INDEX google_domain_days_day ON google_domain_days (day)');
    await runner.query(`
      CREATE TABLE snds_addresses (
        address inet PRIMARY KEY,
        day date NOT NULL,
        filter text NOT NULL,
        complaint_rate text,
        recipient_count integer NOT NULL,
        trap_hits integer NOT NULL
      )`);
    await runner.query('CREATE INDEX snds_addresses_day ON snds_addresses (day)');
    await runner.query(`
      CREATE TABLE snds_blocks (
        first_address inet NOT NULL,
        last_address inet NOT NULL,
        reason text NOT NULL,
        PRIMARY KEY (first_address, last_address)
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
