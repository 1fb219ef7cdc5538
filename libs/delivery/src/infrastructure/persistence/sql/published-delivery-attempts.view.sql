-- Attempts to deliver, for other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_delivery_attempts AS
  SELECT email_id, recipient_no, attempt, started_at, outcome, reason, host, tls, reply_code, enhanced_code, reply_text, category
  FROM delivery_attempts;
