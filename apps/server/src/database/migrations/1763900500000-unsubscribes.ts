import { MigrationInterface, QueryRunner } from 'typeorm';

/** Who unsubscribed, by the link of which email, and the count of it. */
export class Unsubscribes1763900500000 implements MigrationInterface {
  name = 'Unsubscribes1763900500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contact_unsubscribes (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        contact_id uuid NOT NULL,
        email_id uuid,
        source text NOT NULL,
        topic_ids uuid[] NOT NULL,
        created_at timestamptz NOT NULL
      ) PARTITION BY RANGE (id)`);
    await runner.query(
      'CREATE INDEX contact_unsubscribes_of_email ON contact_unsubscribes (email_id) WHERE email_id IS NOT NULL',
    );
    await runner.query('ALTER TABLE email_counters ADD COLUMN unsubscribed bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email_counters DROP COLUMN unsubscribed');
    await runner.query('DROP TABLE contact_unsubscribes');
  }
}
