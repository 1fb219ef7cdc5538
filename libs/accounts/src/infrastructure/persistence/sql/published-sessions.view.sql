-- Sessions that have not ended, for the other libs to read, without what would authenticate. Columns may be added at the end;
-- removing one takes two releases.
CREATE OR REPLACE VIEW published_sessions AS
  SELECT id, "userId" AS user_id FROM auth.session WHERE "expiresAt" > now();
