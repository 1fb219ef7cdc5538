-- Emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_emails AS
  SELECT id, team_id, domain_id, created_at, scheduled_at, message_id, "from", "to", subject, tags, headers, template_id,
         size
  FROM emails;
