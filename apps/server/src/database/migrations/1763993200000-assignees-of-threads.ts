import { MigrationInterface, QueryRunner } from 'typeorm';

/** The member of the team who looks after a thread of an inbox. */
export class AssigneesOfThreads1763993200000 implements MigrationInterface {
  name = 'AssigneesOfThreads1763993200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE inbox_threads ADD COLUMN assignee_id uuid');
    await runner.query(
      `CREATE INDEX inbox_threads_assigned ON inbox_threads (inbox_id, assignee_id, folder, last_email_at, id)
         WHERE assignee_id IS NOT NULL`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
