import { MigrationInterface, QueryRunner } from 'typeorm';

/** What narrows an API key beyond its permission, and how much each key with a limit has sent in a day. */
export class KeyPolicies1763992364000 implements MigrationInterface {
  name = 'KeyPolicies1763992364000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN allowed_ips text[],
        ADD COLUMN allowed_recipient_domains text[],
        ADD COLUMN daily_limit integer
    `);
    await runner.query(`
      CREATE TABLE api_key_usage (
        api_key_id uuid NOT NULL,
        day date NOT NULL,
        sent bigint NOT NULL,
        PRIMARY KEY (api_key_id, day)
      ) WITH (fillfactor = 25)
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
