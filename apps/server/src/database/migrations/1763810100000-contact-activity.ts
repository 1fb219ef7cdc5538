import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When each contact was last sent something, and last opened and clicked: what filters of segments ask for. A consumer
 * of the event log keeps it.
 *
 * It is a table of its own, because every email changes it: a row is a third of that of a contact, and it has one
 * index.
 */
export class ContactActivity1763810100000 implements MigrationInterface {
  name = 'ContactActivity1763810100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE contact_activity (
        contact_id uuid PRIMARY KEY REFERENCES contacts ON DELETE CASCADE,
        last_sent_at timestamptz,
        last_opened_at timestamptz,
        last_clicked_at timestamptz,
        last_machine_opened_at timestamptz,
        last_machine_clicked_at timestamptz
      ) WITH (fillfactor = 50)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
