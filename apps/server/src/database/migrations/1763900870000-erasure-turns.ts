import { MigrationInterface, QueryRunner } from 'typeorm';

/** When a team last had a turn of erasing, and an index that finds the oldest erasure of each team. */
export class ErasureTurns1763900870000 implements MigrationInterface {
  name = 'ErasureTurns1763900870000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE privacy_turns (team_id uuid PRIMARY KEY REFERENCES teams (id), last_at timestamptz NOT NULL)`,
    );
    await runner.query(
      `CREATE INDEX privacy_erasures_waiting ON privacy_erasures (team_id, due_at) WHERE status = 'pending'`,
    );
    await runner.query('DROP INDEX privacy_erasures_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX privacy_erasures_due ON privacy_erasures (due_at) WHERE status = 'pending'`);
    await runner.query('DROP INDEX privacy_erasures_waiting');
    await runner.query('DROP TABLE privacy_turns');
  }
}
