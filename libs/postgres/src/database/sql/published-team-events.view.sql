-- Events that belong to a team and to no email, for the libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_team_events AS
  SELECT id, team_id, created_at, type, data FROM team_events;
