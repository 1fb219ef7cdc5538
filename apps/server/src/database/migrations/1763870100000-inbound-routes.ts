import { MigrationInterface, QueryRunner } from 'typeorm';

/** Routes for received mail, what they have done, and the envelope of mail that is passed on. */
export class InboundRoutes1763870100000 implements MigrationInterface {
  name = 'InboundRoutes1763870100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE inbound_routes (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        position integer NOT NULL,
        name text NOT NULL,
        recipient text NOT NULL,
        conditions jsonb NOT NULL,
        action jsonb NOT NULL,
        goes_on boolean NOT NULL,
        enabled boolean NOT NULL,
        api_key_id uuid,
        actor_kind text,
        actor_id uuid,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX inbound_routes_in_order ON inbound_routes (team_id, position)');
    await runner.query(`
      CREATE TABLE inbound_route_results (
        received_id uuid NOT NULL,
        key text NOT NULL,
        team_id uuid NOT NULL,
        route_id uuid,
        action text NOT NULL,
        target text NOT NULL,
        outcome text NOT NULL,
        detail text,
        email_id uuid,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (received_id, key)
      )`);
    await runner.query('ALTER TABLE emails ADD COLUMN forwarded_from uuid');
    await runner.query('ALTER TABLE outbound_queue ADD COLUMN mail_from text, ADD COLUMN is_personal boolean');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
