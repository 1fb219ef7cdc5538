-- Recipients of emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_recipients AS
  SELECT email_id, no, status, address FROM recipients;
