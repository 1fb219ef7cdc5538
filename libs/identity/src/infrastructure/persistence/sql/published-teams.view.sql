-- Teams for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_teams AS
  SELECT id, name FROM teams;
