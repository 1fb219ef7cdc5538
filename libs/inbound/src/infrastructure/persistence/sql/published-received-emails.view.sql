-- Received emails for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_received_emails AS
  SELECT id, team_id, created_at, mail_from, "from", "to", subject FROM received_emails;
