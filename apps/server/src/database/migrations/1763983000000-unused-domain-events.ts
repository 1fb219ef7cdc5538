import { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops a table that `team_events` has replaced; no release writes it. */
export class UnusedDomainEvents1763983000000 implements MigrationInterface {
  name = 'UnusedDomainEvents1763983000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE domain_events');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
