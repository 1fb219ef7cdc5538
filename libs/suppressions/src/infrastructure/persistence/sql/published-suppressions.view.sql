-- Suppressed addresses for the other libs to count. Concealed ones have their hash as address. Columns may be added at the end; removing
-- one takes two releases.
CREATE OR REPLACE VIEW published_suppressions AS
  SELECT team_id, email, origin FROM suppressions;
