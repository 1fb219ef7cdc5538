import { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings, checks and events of domains, rotation of their keys, and claims of domains that another team has. */
export class DomainVerification1763700450000 implements MigrationInterface {
  name = 'DomainVerification1763700450000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  `ALTER TABLE domains
    ADD COLUMN tls text NOT NULL DEFAULT 'opportunistic' CHECK (tls IN ('opportunistic', 'enforced')),
    ADD COLUMN open_tracking boolean NOT NULL DEFAULT false,
    ADD COLUMN click_tracking boolean NOT NULL DEFAULT false,
    ADD COLUMN tracking_subdomain text,
    ADD COLUMN sending boolean NOT NULL DEFAULT true,
    ADD COLUMN receiving boolean NOT NULL DEFAULT false,
    ADD COLUMN dkim_publication text NOT NULL DEFAULT 'txt' CHECK (dkim_publication IN ('txt', 'cname')),
    ADD COLUMN dkim_generation integer NOT NULL DEFAULT 1,
    ADD COLUMN checks jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN dns_provider text,
    ADD COLUMN checked_at timestamptz,
    ADD COLUMN next_check_at timestamptz,
    ADD COLUMN version integer NOT NULL DEFAULT 0,
    ADD CHECK (sending OR receiving)`,
  `CREATE INDEX domains_due ON domains (next_check_at) WHERE next_check_at IS NOT NULL`,
  `ALTER TABLE dkim_keys ADD COLUMN retired_at timestamptz`,

  // An outbox of events for customers, read in the order of the ids. No foreign key, because a deleted domain has an event.
  `CREATE TABLE domain_events (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('domain.created', 'domain.updated', 'domain.deleted')),
    payload jsonb NOT NULL,
    created_at timestamptz NOT NULL
  )`,

  `CREATE TABLE domain_claims (
    id uuid PRIMARY KEY,
    team_id uuid NOT NULL REFERENCES teams,
    domain_id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    settings jsonb NOT NULL,
    token text NOT NULL,
    blocked_reason text,
    failure_reason text,
    proven_at timestamptz,
    next_check_at timestamptz,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  // A team has one open claim for a name; a repeated request finds it.
  `CREATE UNIQUE INDEX domain_claims_open ON domain_claims (team_id, name)
    WHERE status IN ('pending', 'verified', 'blocked')`,
  `CREATE INDEX domain_claims_of_domain ON domain_claims (domain_id, id)`,
  `CREATE INDEX domain_claims_of_name ON domain_claims (name) WHERE status IN ('pending', 'verified', 'blocked')`,
  `CREATE INDEX domain_claims_due ON domain_claims (next_check_at) WHERE next_check_at IS NOT NULL`,
];
