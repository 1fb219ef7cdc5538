import { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts to sign in and mails that were asked for, by hashes of who asked, so that all processes share a limit. */
export class SignInAttempts1763900400000 implements MigrationInterface {
  name = 'SignInAttempts1763900400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE sign_in_attempts (
      kind text NOT NULL,
      key text NOT NULL,
      count integer NOT NULL,
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (kind, key)
    ) WITH (fillfactor = 70)`);
    await runner.query('CREATE INDEX sign_in_attempts_ends_at ON sign_in_attempts (ends_at)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
