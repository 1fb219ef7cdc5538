-- Recipients that are still to be delivered, for other libs to read. Columns may be added at the end; removing one
-- takes two releases.
CREATE OR REPLACE VIEW published_outbound_queue AS
  SELECT email_id, recipient_no, due_at FROM outbound_queue;
