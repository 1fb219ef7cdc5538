-- Imports of contacts for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_contact_imports AS
  SELECT id, team_id, created_at, completed_at, created, file_name FROM contact_imports;
