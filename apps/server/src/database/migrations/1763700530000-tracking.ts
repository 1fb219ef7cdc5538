import { MigrationInterface, QueryRunner } from 'typeorm';

/** The tracking settings of an email, and how often each recipient has opened it and clicked in it. */
export class Tracking1763700530000 implements MigrationInterface {
  name = 'Tracking1763700530000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

const statements = [
  `ALTER TABLE emails ADD COLUMN tracking jsonb`,
  // NULL for most rows, which takes no space. Machines have their own count, so that they do not use up the reader's limit.
  `ALTER TABLE recipients
    ADD COLUMN opens smallint,
    ADD COLUMN clicks smallint,
    ADD COLUMN machine_opens smallint,
    ADD COLUMN machine_clicks smallint`,
];
