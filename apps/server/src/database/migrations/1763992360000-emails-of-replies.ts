import { MigrationInterface, QueryRunner } from 'typeorm';

/** An index to find the examples of replies about an email, and those about emails that are gone. */
export class EmailsOfReplies1763992360000 implements MigrationInterface {
  name = 'EmailsOfReplies1763992360000';
  /** CONCURRENTLY cannot run in a transaction, and blocks no writer. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index with this name.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS provider_counts_of_email');
    // It waits for transactions that began earlier, and blocks no others.
    await runner.query('SET lock_timeout = 0');
    await runner.query(
      'CREATE INDEX CONCURRENTLY provider_counts_of_email ON provider_counts (email_id) WHERE email_id IS NOT NULL',
    );
    await runner.query('RESET lock_timeout');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
