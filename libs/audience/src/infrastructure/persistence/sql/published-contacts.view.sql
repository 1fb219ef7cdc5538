-- Contacts for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_contacts AS
  SELECT id, team_id, email, created_at, bounced_at, complained_at, unsubscribed FROM contacts;
