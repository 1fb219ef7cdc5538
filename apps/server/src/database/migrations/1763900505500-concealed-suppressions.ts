import { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells at once that a team has no concealed addresses, so that no recipient is hashed in vain. */
export class ConcealedSuppressions1763900505500 implements MigrationInterface {
  name = 'ConcealedSuppressions1763900505500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX suppressions_concealed ON suppressions (team_id) WHERE email LIKE 'hmac:%'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX suppressions_concealed');
  }
}
