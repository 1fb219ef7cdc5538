-- Adds those who unsubscribed to the counters of their team and quarter of an hour: under the domain of the email whose link they followed,
-- and under no domain (all zeros) where they used none. The order of the rows prevents deadlocks between writers.
CREATE OR REPLACE FUNCTION count_unsubscribes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, sent, delivered, delivery_delayed, bounced, bounced_transient,
                                   bounced_permanent, complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked,
                                   unsubscribed)
  SELECT f.team_id, date_bin('15 minutes', f.created_at, 'epoch'::timestamptz),
         coalesce((SELECT e.domain_id FROM published_emails e WHERE e.id = f.email_id AND e.team_id = f.team_id LIMIT 1),
                  '00000000-0000-0000-0000-000000000000'),
         pg_backend_pid() % 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*)
  FROM fresh f GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE SET unsubscribed = c.unsubscribed + EXCLUDED.unsubscribed;
  RETURN NULL;
END $$;
