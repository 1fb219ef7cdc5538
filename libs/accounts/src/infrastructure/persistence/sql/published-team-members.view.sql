-- Members of teams for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_team_members AS
  SELECT team_id, user_id, role, tools_ended_at FROM team_members;
