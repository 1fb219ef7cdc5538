-- Documents for the editor to look for sections in, and their revisions. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_template_documents AS
  SELECT id, team_id, template_id, content_source, document, content_revision FROM template_versions;
