-- Contents for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_template_contents AS
  SELECT t.team_id, v.html FROM templates t JOIN template_versions v ON v.template_id = t.id;
