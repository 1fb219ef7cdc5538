-- Steps at which the guard of reputations holds mail, for the other libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_reputation_guards AS
  SELECT domain_id, provider, step, since FROM reputation_guards;
