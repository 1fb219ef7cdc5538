import { MigrationInterface, QueryRunner } from 'typeorm';

/** Certificates that the program gets by itself (ACME, RFC 8555). */
export class Certificates1763993000000 implements MigrationInterface {
  name = 'Certificates1763993000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE certificates (
        host text PRIMARY KEY,
        -- The domain whose tracking record proves the host. NULL: a host of the service itself.
        domain_id uuid,
        team_id uuid,
        state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'issued', 'failed')),
        -- Private key and chain.
        sealed_certificate bytea,
        issued_at timestamptz,
        not_after timestamptz,
        renew_at timestamptz,
        -- When it is worked on next. While a process works on it, the end of its lease.
        due_at timestamptz NOT NULL,
        lease uuid,
        tries integer NOT NULL DEFAULT 0,
        reason text,
        -- The operator wants its certificate to be revoked.
        is_revoked boolean NOT NULL DEFAULT false,
        order_url text,
        sealed_order_key bytea,
        challenge_token text,
        challenge_answer text,
        -- When a process last named a host of the service itself.
        wanted_at timestamptz,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX certificates_due ON certificates (due_at)');
    await runner.query('CREATE INDEX certificates_of_domain ON certificates (domain_id)');
    await runner.query(
      'CREATE INDEX certificates_challenged ON certificates (challenge_token) WHERE challenge_token IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE certificate_orders (
        id uuid PRIMARY KEY,
        team_id uuid,
        registrable_domain text NOT NULL,
        ordered_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX certificate_orders_by_time ON certificate_orders (ordered_at)');
    await runner.query(
      'CREATE INDEX certificate_orders_of_domain ON certificate_orders (registrable_domain, ordered_at)',
    );
    await runner.query('CREATE INDEX certificate_orders_of_team ON certificate_orders (team_id, ordered_at)');
    await runner.query(`
      CREATE TABLE acme_accounts (
        directory text PRIMARY KEY,
        sealed_key bytea NOT NULL,
        -- NULL until the authority has made the account.
        url text
      )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
