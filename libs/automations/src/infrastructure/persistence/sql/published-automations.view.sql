-- Automations for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_automations AS
  SELECT id, team_id, name, status FROM automations WHERE NOT is_deleted;
