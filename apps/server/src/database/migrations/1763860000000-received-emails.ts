import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Received mail. `received_work` names the emails on which actions must run, and whether `email.received` was written
 * with them; `received_receipts` the messages whose 250 may not have arrived, so that the same bytes sent again are not
 * stored twice.
 */
export class ReceivedEmails1763860000000 implements MigrationInterface {
  name = 'ReceivedEmails1763860000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE received_emails (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        domain_id uuid NOT NULL,
        content_id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        size integer NOT NULL,
        mail_from text NOT NULL,
        recipients text[] NOT NULL,
        "from" text NOT NULL,
        "to" text[] NOT NULL,
        cc text[] NOT NULL,
        bcc text[] NOT NULL,
        reply_to text[] NOT NULL,
        subject text NOT NULL,
        message_id text NOT NULL,
        thread_id uuid NOT NULL,
        attachments jsonb NOT NULL,
        client jsonb NOT NULL,
        verdicts jsonb NOT NULL,
        is_above_quota boolean NOT NULL,
        trace text NOT NULL
      ) PARTITION BY RANGE (id)`);
    await runner.query('CREATE INDEX ON received_emails (team_id, id)');
    await runner.query('CREATE INDEX ON received_emails (team_id, thread_id, id)');
    await runner.query('CREATE INDEX ON received_emails (team_id, lower("from"), id)');
    await runner.query(`
      CREATE TABLE received_work (
        email_id uuid PRIMARY KEY,
        team_id uuid NOT NULL,
        announced boolean NOT NULL,
        due_at timestamptz NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        last_error text
      )`);
    await runner.query('CREATE INDEX ON received_work (due_at)');
    await runner.query(`
      CREATE TABLE received_receipts (
        digest bytea PRIMARY KEY,
        email_id uuid NOT NULL,
        created_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX ON received_receipts (created_at)');
    await runner.query('ALTER TABLE email_counters ADD COLUMN received bigint NOT NULL DEFAULT 0');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
