-- Templates for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_templates AS
  SELECT id, team_id, name, current_version_id, alias FROM templates;
