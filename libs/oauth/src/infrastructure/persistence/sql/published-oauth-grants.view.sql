-- Grants that are in force, with the present role of their users, for the other libs to read. What a tool has made ends when its
-- grant is no longer here. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_oauth_grants AS
  SELECT g.id, g.team_id, g.user_id, m.role, g.scopes, coalesce(c.name, 'Command line') AS client_name
  FROM oauth_grants g
  JOIN published_team_members m ON m.team_id = g.team_id AND m.user_id = g.user_id
  LEFT JOIN oauth_clients c ON c.id = g.client_id
  WHERE g.revoked_at IS NULL AND (m.tools_ended_at IS NULL OR g.created_at > m.tools_ended_at);
