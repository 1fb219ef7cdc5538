-- Adds received emails to the counters of their team, quarter of an hour and domain, in the statement that writes them. The order of
-- the rows prevents deadlocks between writers.
CREATE OR REPLACE FUNCTION count_received_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, sent, delivered, delivery_delayed, bounced, bounced_transient,
                                   bounced_permanent, complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked,
                                   received)
  SELECT team_id, date_bin('15 minutes', created_at, 'epoch'::timestamptz), domain_id, pg_backend_pid() % 8,
         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*)
  FROM fresh GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE SET received = c.received + EXCLUDED.received;
  RETURN NULL;
END $$;
