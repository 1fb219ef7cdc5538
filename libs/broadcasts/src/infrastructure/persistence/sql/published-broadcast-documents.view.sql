-- Documents for the editor to look for sections in, and their revisions. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_documents AS
  SELECT id, team_id, coalesce(name, subject) AS name, status, content_source, document, content_revision FROM broadcasts;
