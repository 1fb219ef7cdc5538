-- Contents for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_editor_contents AS
  SELECT team_id, coalesce(document, html) AS content FROM editor_versions
  UNION ALL SELECT team_id, styles::text FROM editor_styles;
