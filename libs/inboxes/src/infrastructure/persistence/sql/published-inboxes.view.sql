-- Inboxes for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_inboxes AS
  SELECT id, team_id, name, address FROM inboxes;
