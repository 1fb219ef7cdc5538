-- Counts who unsubscribed by a link in an email of an automation, each email once: bit 32 of its results, see
-- count-mail.ts.
CREATE OR REPLACE FUNCTION count_automation_unsubscribes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM fresh WHERE email_id IS NOT NULL) THEN RETURN NULL; END IF;
  WITH counted AS (
    UPDATE automation_run_steps s SET results = s.results | 32
    FROM (SELECT DISTINCT email_id FROM fresh WHERE email_id IS NOT NULL) f
    WHERE s.email_id = f.email_id AND s.automation_id IS NOT NULL AND s.results & 32 = 0
    RETURNING s.automation_id, s.step_key
  )
  INSERT INTO automation_step_counts AS c (automation_id, step_key, shard, unsubscribed)
  SELECT automation_id, step_key, pg_backend_pid() % 8, count(*) FROM counted GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (automation_id, step_key, shard) DO UPDATE SET unsubscribed = c.unsubscribed + excluded.unsubscribed;
  RETURN NULL;
END $$;
