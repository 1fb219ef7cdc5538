-- Contents for the other libs to look for names of images in. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_contents AS
  SELECT team_id, html FROM broadcasts;
