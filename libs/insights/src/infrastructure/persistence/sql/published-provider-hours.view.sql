-- What became of mail by mailbox provider and hour, for the other libs to read. Columns may be added at the end; removing one takes two
-- releases.
CREATE OR REPLACE VIEW published_provider_hours AS
  SELECT domain_id, hour, provider, team_id, delivered, deferred, bounced, bad_addresses, refused_as_spam, complained
  FROM provider_hours;
