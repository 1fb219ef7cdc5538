import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests to erase what is stored about an address, which are also the record that it was done. The address itself is
 * sealed, and removed once everything is erased; its keyed hash stays.
 */
export class Erasures1763800003000 implements MigrationInterface {
  name = 'Erasures1763800003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE privacy_erasures (
      id uuid PRIMARY KEY,
      team_id uuid NOT NULL REFERENCES teams,
      address_hash text NOT NULL,
      sealed_address bytea,
      status text NOT NULL CHECK (status IN ('pending', 'completed')),
      counts jsonb NOT NULL DEFAULT '{}',
      holder text,
      position text,
      is_waiting boolean NOT NULL DEFAULT false,
      due_at timestamptz NOT NULL,
      held_by uuid,
      held_until timestamptz NOT NULL DEFAULT '-infinity',
      api_key_id uuid,
      actor_kind text,
      actor_id uuid,
      created_at timestamptz NOT NULL,
      completed_at timestamptz
    ) WITH (fillfactor = 50)`);
    await runner.query('CREATE INDEX privacy_erasures_of_team ON privacy_erasures (team_id, id)');
    await runner.query(`CREATE INDEX privacy_erasures_due ON privacy_erasures (due_at) WHERE status = 'pending'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
