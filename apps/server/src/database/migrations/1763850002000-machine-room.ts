import { MigrationInterface, QueryRunner } from 'typeorm';

/** Lanes that the operator has paused, and what workers tell about themselves. */
export class MachineRoom1763850002000 implements MigrationInterface {
  name = 'MachineRoom1763850002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE lane_holds (
      lane text PRIMARY KEY,
      since timestamptz NOT NULL,
      note text,
      actor_kind text NOT NULL,
      actor_id uuid
    )`);
    await runner.query('ALTER TABLE workers ADD COLUMN about jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
