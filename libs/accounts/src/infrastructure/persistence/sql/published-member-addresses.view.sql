-- Addresses of members of teams, for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_member_addresses AS
  SELECT m.team_id, m.role, u.email, m.user_id FROM team_members m JOIN auth."user" u ON u.id = m.user_id;
