-- Who unsubscribed, and by the link of which email, for the other libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_unsubscribes AS
  SELECT id, team_id, contact_id, email_id, source, topic_ids, created_at, position FROM contact_unsubscribes;
