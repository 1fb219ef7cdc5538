import { MigrationInterface, QueryRunner } from 'typeorm';

/** The tool that acted for a user, beside the user. */
export class AuditedTools1763900700500 implements MigrationInterface {
  name = 'AuditedTools1763900700500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries ADD COLUMN grant_id uuid, ADD COLUMN tool_name text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
