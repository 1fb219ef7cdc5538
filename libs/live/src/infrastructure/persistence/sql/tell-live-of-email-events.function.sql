-- Notes down which emails changed, for teams that somebody watches at this moment. It is read by polling and not sent with NOTIFY:
-- PostgreSQL serialises commits that notify, and a session is needed to listen. While nobody watches it costs one look at an empty
-- table per statement. The rows are in a table that is not logged.
CREATE OR REPLACE FUNCTION tell_live_of_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first uuid;
  last uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  SELECT email_id INTO first FROM added ORDER BY email_id LIMIT 1;
  IF first IS NULL THEN RETURN NULL; END IF;
  SELECT email_id INTO last FROM added ORDER BY email_id DESC LIMIT 1;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT e.team_id, 'emails', CASE WHEN count(*) <= 100 THEN array_agg(n.email_id::text) END
  FROM (SELECT DISTINCT email_id FROM added) n
  CROSS JOIN LATERAL (
    SELECT team_id FROM published_emails WHERE id = n.email_id AND id BETWEEN first AND last LIMIT 1
  ) e
  WHERE e.team_id IN (SELECT team_id FROM live_watches WHERE until > now())
  GROUP BY e.team_id;
  RETURN NULL;
END $$;
