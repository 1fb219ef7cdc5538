-- Events of emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_email_events AS
  SELECT email_id, seq, recipient_no, created_at, type, data, position FROM email_events;
