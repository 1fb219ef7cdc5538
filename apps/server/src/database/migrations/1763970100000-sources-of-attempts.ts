import { MigrationInterface, QueryRunner } from 'typeorm';

/** The pool and the address that an attempt left from. Apart from the pools, so that it holds no lock of theirs while it waits. */
export class SourcesOfAttempts1763970100000 implements MigrationInterface {
  name = 'SourcesOfAttempts1763970100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE delivery_attempts ADD COLUMN pool text, ADD COLUMN source_address text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
