-- Broadcasts for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcasts AS
  SELECT id, team_id, coalesce(name, subject) AS name, status, created_at, segment_id FROM broadcasts;
