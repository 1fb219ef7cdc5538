import { emailEventPositions } from '#emails';
import { MigrationInterface, QueryRunner } from 'typeorm';

/** From now on events of emails have positions, because the first consumer follows them. Earlier events keep none. */
export class EventPositionDefault1763800002000 implements MigrationInterface {
  name = 'EventPositionDefault1763800002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(emailEventPositions);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
