import { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that mail leaves from, their pools, and which teams and domains use which pool. */
export class SendingPools1763970000000 implements MigrationInterface {
  name = 'SendingPools1763970000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sending_addresses (
        id uuid PRIMARY KEY,
        address inet NOT NULL UNIQUE,
        helo_name text NOT NULL,
        -- NULL: of all regions.
        region text,
        state text NOT NULL CHECK (state IN ('active', 'draining', 'off')),
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE sending_address_machines (
        address_id uuid NOT NULL REFERENCES sending_addresses ON DELETE CASCADE,
        machine text NOT NULL,
        can_send boolean NOT NULL,
        seen_at timestamptz NOT NULL,
        PRIMARY KEY (address_id, machine)
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE TABLE sending_pools (
        id uuid PRIMARY KEY,
        name text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE sending_pool_addresses (
        pool_id uuid NOT NULL REFERENCES sending_pools ON DELETE CASCADE,
        address_id uuid NOT NULL REFERENCES sending_addresses,
        weight integer NOT NULL,
        PRIMARY KEY (pool_id, address_id)
      )`);
    await runner.query('CREATE INDEX sending_pool_addresses_of_address ON sending_pool_addresses (address_id)');
    await runner.query(`
      CREATE TABLE sending_pool_uses (
        id uuid PRIMARY KEY,
        pool_id uuid NOT NULL REFERENCES sending_pools,
        team_id uuid NOT NULL REFERENCES teams ON DELETE CASCADE,
        -- NULL: all mail of the team whose domain has no pool of its own.
        domain_id uuid UNIQUE REFERENCES domains ON DELETE CASCADE,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX sending_pool_uses_of_pool ON sending_pool_uses (pool_id, id)');
    await runner.query('CREATE INDEX sending_pool_uses_by_team ON sending_pool_uses (team_id)');
    await runner.query(
      'CREATE UNIQUE INDEX sending_pool_uses_of_team ON sending_pool_uses (team_id) WHERE domain_id IS NULL',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
