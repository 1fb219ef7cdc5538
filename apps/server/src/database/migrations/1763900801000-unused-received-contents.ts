import { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists the contents of erased emails until they are removed from the message store. */
export class UnusedReceivedContents1763900801000 implements MigrationInterface {
  name = 'UnusedReceivedContents1763900801000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE received_unused_contents (content_id uuid PRIMARY KEY)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE received_unused_contents');
  }
}
