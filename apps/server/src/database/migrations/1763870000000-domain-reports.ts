import { MigrationInterface, QueryRunner } from 'typeorm';

/** Reports about domains that other servers send, and what they count by day, source and result. */
export class DomainReports1763870000000 implements MigrationInterface {
  name = 'DomainReports1763870000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE domain_reports (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        domain_id uuid NOT NULL,
        kind text NOT NULL,
        digest bytea NOT NULL,
        reporter text,
        organization text NOT NULL,
        report_id text NOT NULL,
        begins_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        total bigint NOT NULL,
        unusable integer NOT NULL,
        policy jsonb,
        failure jsonb
      )`);
    await runner.query('CREATE UNIQUE INDEX domain_reports_once ON domain_reports (domain_id, digest)');
    await runner.query('CREATE INDEX domain_reports_of_domain ON domain_reports (domain_id, id)');
    await runner.query(`
      CREATE TABLE dmarc_counts (
        domain_id uuid NOT NULL,
        day date NOT NULL,
        digest bytea NOT NULL,
        reporter text NOT NULL,
        source inet,
        header_from text NOT NULL,
        disposition text NOT NULL,
        dkim_aligned boolean NOT NULL,
        spf_aligned boolean NOT NULL,
        dkim_domain text,
        dkim_selector text,
        dkim_result text,
        spf_domain text,
        spf_result text,
        override text,
        messages bigint NOT NULL,
        PRIMARY KEY (domain_id, day, digest)
      )`);
    await runner.query('CREATE INDEX dmarc_counts_by_day ON dmarc_counts (day)');
    await runner.query(`
      CREATE TABLE tls_counts (
        domain_id uuid NOT NULL,
        day date NOT NULL,
        digest bytea NOT NULL,
        reporter text NOT NULL,
        policy_type text NOT NULL,
        policy_domain text NOT NULL,
        result text NOT NULL,
        mx text,
        reason text,
        sessions bigint NOT NULL,
        PRIMARY KEY (domain_id, day, digest)
      )`);
    await runner.query('CREATE INDEX tls_counts_by_day ON tls_counts (day)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
