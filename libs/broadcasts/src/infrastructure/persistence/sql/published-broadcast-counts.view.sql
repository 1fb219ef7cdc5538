-- Counts of the events of broadcasts, for the other libs to read. Columns may be added at the end; removing one takes two releases.
CREATE OR REPLACE VIEW published_broadcast_counts AS
  SELECT team_id, broadcast_id, quarter, domain_id, sent, delivered, delivery_delayed, bounced, bounced_transient, bounced_permanent,
         complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked, unsubscribed
  FROM broadcast_counters;
