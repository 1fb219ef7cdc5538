import { MigrationInterface, QueryRunner } from 'typeorm';

/** Inboxes: received and sent mail of one address in threads, with labels and drafts. */
export class Inboxes1763991000000 implements MigrationInterface {
  name = 'Inboxes1763991000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE inboxes (
        id uuid PRIMARY KEY,
        team_id uuid NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
        domain_id uuid NOT NULL,
        address text NOT NULL,
        receiving_address text,
        name text,
        from_name text,
        unread integer NOT NULL DEFAULT 0,
        last_received_at timestamptz,
        agent_instructions text,
        agent_tone text,
        agent_actions text[] NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX inboxes_by_address ON inboxes (team_id, address);
      CREATE UNIQUE INDEX inboxes_by_receiving_address ON inboxes (receiving_address) WHERE receiving_address IS NOT NULL;
      CREATE INDEX inboxes_of_team ON inboxes (team_id, id);

      CREATE TABLE inbox_labels (
        id uuid PRIMARY KEY,
        inbox_id uuid NOT NULL REFERENCES inboxes (id) ON DELETE CASCADE,
        name text NOT NULL,
        color text NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX inbox_labels_by_name ON inbox_labels (inbox_id, lower(name));

      -- Threads, emails and drafts have no foreign keys: those of a removed inbox are deleted afterwards, portion by portion.
      CREATE TABLE inbox_threads (
        id uuid PRIMARY KEY,
        inbox_id uuid NOT NULL,
        root uuid NOT NULL,
        folder text NOT NULL,
        subject text,
        labels uuid[] NOT NULL DEFAULT '{}',
        email_count integer NOT NULL,
        last_no integer NOT NULL,
        read_through integer NOT NULL,
        is_unread boolean NOT NULL,
        has_attachment boolean NOT NULL,
        last_email_id uuid NOT NULL,
        last_email_at timestamptz NOT NULL,
        trashed_at timestamptz
      );
      CREATE UNIQUE INDEX inbox_threads_by_root ON inbox_threads (inbox_id, root);
      CREATE INDEX inbox_threads_in_order ON inbox_threads (inbox_id, folder, last_email_at, id);
      CREATE INDEX inbox_threads_unread ON inbox_threads (inbox_id, folder, last_email_at, id) WHERE is_unread;
      CREATE INDEX inbox_threads_labelled ON inbox_threads USING gin (labels) WHERE labels <> '{}';
      CREATE INDEX inbox_threads_read ON inbox_threads (inbox_id, folder, last_email_at, id) WHERE NOT is_unread;
      CREATE INDEX inbox_threads_by_age ON inbox_threads (last_email_at);
      CREATE INDEX inbox_threads_trashed ON inbox_threads (trashed_at) WHERE trashed_at IS NOT NULL;

      CREATE TABLE inbox_emails (
        inbox_id uuid NOT NULL,
        id uuid NOT NULL,
        thread_id uuid NOT NULL,
        no integer NOT NULL,
        root uuid NOT NULL,
        direction text NOT NULL,
        "from" text NOT NULL,
        "to" text[] NOT NULL,
        cc text[] NOT NULL,
        bcc text[] NOT NULL,
        reply_to text[] NOT NULL,
        subject text,
        message_id text,
        attachments jsonb NOT NULL,
        received_at timestamptz NOT NULL,
        search tsvector NOT NULL,
        PRIMARY KEY (inbox_id, id)
      );
      CREATE INDEX inbox_emails_of_thread ON inbox_emails (thread_id, id);
      CREATE INDEX inbox_emails_by_root ON inbox_emails (inbox_id, root);
      CREATE INDEX inbox_emails_by_id ON inbox_emails (id);
      CREATE INDEX inbox_emails_searched ON inbox_emails USING gin (search) WITH (fastupdate = off);

      CREATE TABLE inbox_arrivals (
        received_id uuid NOT NULL,
        inbox_id uuid NOT NULL,
        team_id uuid NOT NULL,
        due_at timestamptz NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        PRIMARY KEY (received_id, inbox_id)
      );
      CREATE INDEX inbox_arrivals_of_team ON inbox_arrivals (team_id, due_at);
      CREATE INDEX inbox_arrivals_due ON inbox_arrivals (due_at);

      CREATE TABLE inbox_removals (inbox_id uuid PRIMARY KEY, removed_at timestamptz NOT NULL DEFAULT now());

      CREATE TABLE inbox_drafts (
        id uuid PRIMARY KEY,
        inbox_id uuid NOT NULL,
        team_id uuid NOT NULL,
        thread_id uuid,
        reply_to_email_id uuid,
        "to" text[],
        cc text[] NOT NULL,
        bcc text[] NOT NULL,
        subject text,
        html text,
        text text,
        snippet text,
        attachment_bytes bigint NOT NULL,
        version integer NOT NULL,
        email_id uuid,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );
      CREATE INDEX inbox_drafts_open ON inbox_drafts (inbox_id, id) WHERE email_id IS NULL;
      CREATE INDEX inbox_drafts_of_team ON inbox_drafts (team_id) WHERE email_id IS NULL;
      CREATE INDEX inbox_drafts_of_thread ON inbox_drafts (thread_id) WHERE email_id IS NULL AND thread_id IS NOT NULL;
      CREATE INDEX inbox_drafts_with_attachments ON inbox_drafts (team_id) INCLUDE (attachment_bytes)
        WHERE attachment_bytes > 0;
      CREATE INDEX inbox_drafts_of_inbox ON inbox_drafts (inbox_id, id);

      CREATE TABLE inbox_draft_attachments (
        id uuid PRIMARY KEY,
        draft_id uuid NOT NULL REFERENCES inbox_drafts (id) ON DELETE CASCADE,
        position integer NOT NULL,
        filename text NOT NULL,
        content_type text NOT NULL,
        content_id text,
        size integer NOT NULL,
        content bytea NOT NULL
      );
      CREATE INDEX inbox_draft_attachments_of_draft ON inbox_draft_attachments (draft_id, position);`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
