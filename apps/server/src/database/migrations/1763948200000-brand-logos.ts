import { MigrationInterface, QueryRunner } from 'typeorm';

/** What the last check of a domain found of its BIMI record. */
export class BrandLogos1763948200000 implements MigrationInterface {
  name = 'BrandLogos1763948200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE domains ADD COLUMN brand_logo jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
