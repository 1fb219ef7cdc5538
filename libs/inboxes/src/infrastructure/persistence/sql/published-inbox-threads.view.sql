-- Threads of inboxes with the sender of their newest email, for the other libs to read. Columns may be added at the end; removing one
-- takes two releases.
CREATE OR REPLACE VIEW published_inbox_threads AS
  SELECT t.id, t.inbox_id, t.folder, t.subject, e."from", t.last_email_at
  FROM inbox_threads t LEFT JOIN inbox_emails e ON e.inbox_id = t.inbox_id AND e.id = t.last_email_id;
