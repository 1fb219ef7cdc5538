-- Delivery reports and complaints, published for other libs. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_feedback_reports AS
  SELECT email_id, recipient_no, digest, received_at, kind, reporter, action, status, category, diagnostic, effect
  FROM feedback_reports;
