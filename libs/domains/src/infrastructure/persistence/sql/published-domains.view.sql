-- Domains for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_domains AS
  SELECT id, team_id, name, region, coalesce(stand_in, region) AS sending_region, status, sandbox FROM domains;
