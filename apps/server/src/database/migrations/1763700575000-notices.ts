import { MigrationInterface, QueryRunner } from 'typeorm';

/** Notices to the operator by mail: the outbox, and the record of notices that were sent. */
export class Notices1763700575000 implements MigrationInterface {
  name = 'Notices1763700575000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE notices (
        key text PRIMARY KEY,
        subject text NOT NULL,
        text text NOT NULL,
        created_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        sent_at timestamptz
      )`,
    );
    await runner.query('CREATE INDEX notices_due ON notices (due_at) WHERE sent_at IS NULL');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
