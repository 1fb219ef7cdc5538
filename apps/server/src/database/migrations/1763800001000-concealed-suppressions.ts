import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The key with which addresses in the suppression list are hashed once their contact is deleted. It is made at its
 * first use and sealed with SECRET_KEY, so that a copy of the database alone does not tell the addresses. There is one
 * row at most.
 */
export class ConcealedSuppressions1763800001000 implements MigrationInterface {
  name = 'ConcealedSuppressions1763800001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE suppression_hash_keys (
      no smallint PRIMARY KEY CHECK (no = 1),
      sealed_key bytea NOT NULL
    )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
