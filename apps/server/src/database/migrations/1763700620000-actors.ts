import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Besides API keys, users and the service can act. An API key stays in `api_key_id`, so that the rows of the most
 * frequent actor do not grow. Every other actor has its kind in `actor_kind` and its id, if any, in `actor_id`.
 */
export class Actors1763700620000 implements MigrationInterface {
  name = 'Actors1763700620000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['emails', 'request_logs']) {
      await runner.query(`ALTER TABLE ${table}
        ALTER COLUMN api_key_id DROP NOT NULL,
        ADD COLUMN actor_kind text,
        ADD COLUMN actor_id uuid`);
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
