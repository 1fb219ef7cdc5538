import { MigrationInterface, QueryRunner } from 'typeorm';

/** What an endpoint last responded, and its calls of the last 24 hours: one row for each hour of a day, used again the next day. */
export class HealthOfWebhooks1763992362000 implements MigrationInterface {
  name = 'HealthOfWebhooks1763992362000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE webhooks ADD COLUMN last_called_at timestamptz, ADD COLUMN last_status smallint,
         ADD COLUMN last_error text`,
    );
    await runner.query(
      `CREATE TABLE webhook_hours (
         webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
         slot smallint NOT NULL,
         hour timestamptz NOT NULL,
         calls int NOT NULL,
         succeeded int NOT NULL,
         PRIMARY KEY (webhook_id, slot)
       ) WITH (fillfactor = 50)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
