-- Addresses of members of teams, for notices of the other libs. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_member_addresses AS
  SELECT m.team_id, m.role, u.email FROM team_members m JOIN auth."user" u ON u.id = m.user_id;
