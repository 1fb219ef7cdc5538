-- Sections for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_editor_sections AS
  SELECT team_id, document FROM editor_sections;
