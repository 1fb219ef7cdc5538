-- Emails of broadcasts for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_emails AS
  SELECT email_id, broadcast_id, contact_id FROM broadcast_recipients WHERE email_id IS NOT NULL;
