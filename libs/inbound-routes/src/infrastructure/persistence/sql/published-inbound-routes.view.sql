-- Routes for the other libs to look whether one is there. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_inbound_routes AS
  SELECT id, team_id FROM inbound_routes;
