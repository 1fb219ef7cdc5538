-- What became of mail by mailbox provider and day, with the last reply of each kind, for the other libs to read. Columns may be added at
-- the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_provider_counts AS
  SELECT domain_id, day, provider, kind, count, reply, email_id FROM provider_counts;
