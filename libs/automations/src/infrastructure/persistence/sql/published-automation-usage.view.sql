-- Runs of automations by month for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_automation_usage AS
  SELECT team_id, month, runs FROM automation_usage;
