-- Emails that are still to be released, for the other libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_scheduled_emails AS
  SELECT email_id, due_at FROM scheduled_emails;
