import { MigrationInterface, QueryRunner } from 'typeorm';

/** The sign-in provider whose groups added a member. Null: a person did. */
export class MembersByProvider1763992367000 implements MigrationInterface {
  name = 'MembersByProvider1763992367000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE team_members ADD COLUMN provider text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
