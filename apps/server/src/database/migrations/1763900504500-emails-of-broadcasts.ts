import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The emails of a broadcast in the order of lists. A slice adds to one end of it, so that a recipient costs little
 * more.
 */
export class EmailsOfBroadcasts1763900504500 implements MigrationInterface {
  name = 'EmailsOfBroadcasts1763900504500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX broadcast_recipients_in_order ON broadcast_recipients (broadcast_id, email_id) WHERE email_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX broadcast_recipients_in_order');
  }
}
