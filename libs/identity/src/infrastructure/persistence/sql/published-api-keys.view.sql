-- API keys for the other libs to read, without what would authenticate. Columns may be added at the end; removing one takes
-- two releases.
CREATE OR REPLACE VIEW published_api_keys AS
  SELECT id, team_id, name, grant_id FROM api_keys;
