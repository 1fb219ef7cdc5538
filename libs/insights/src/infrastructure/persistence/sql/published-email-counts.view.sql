-- Counts of the events of all teams, for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_email_counts AS
  SELECT shard, quarter, team_id, sent, delivered, delivery_delayed, bounced FROM email_counters;
