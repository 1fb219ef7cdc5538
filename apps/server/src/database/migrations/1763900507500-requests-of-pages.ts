import { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells the requests of the dashboard's pages from those of programs. */
export class RequestsOfPages1763900507500 implements MigrationInterface {
  name = 'RequestsOfPages1763900507500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE request_logs ADD COLUMN from_page boolean');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
