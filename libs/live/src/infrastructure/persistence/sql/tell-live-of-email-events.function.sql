-- Notes down which emails changed, for teams that somebody watches at this moment. It is read by polling and not sent with NOTIFY:
-- PostgreSQL serialises commits that notify, and a session is needed to listen. While nobody watches it costs one look at an empty
-- table per statement; while teams watch that had no emails at the time of these, it costs one look into the index of emails for
-- each of them. The rows are in a table that is not logged.
CREATE OR REPLACE FUNCTION tell_live_of_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  watched uuid[];
  first uuid;
  last uuid;
BEGIN
  watched := ARRAY(SELECT DISTINCT team_id FROM live_watches WHERE until > now());
  IF cardinality(watched) = 0 THEN RETURN NULL; END IF;
  SELECT email_id INTO first FROM added ORDER BY email_id LIMIT 1;
  IF first IS NULL THEN RETURN NULL; END IF;
  SELECT email_id INTO last FROM added ORDER BY email_id DESC LIMIT 1;
  -- Of many teams one has emails of that time anyway.
  IF cardinality(watched) <= 32 THEN
    watched := ARRAY(
      SELECT t.team_id FROM unnest(watched) AS t (team_id)
      CROSS JOIN LATERAL (
        SELECT FROM published_emails WHERE team_id = t.team_id AND id BETWEEN first AND last ORDER BY id LIMIT 1
      ) e
    );
    IF cardinality(watched) = 0 THEN RETURN NULL; END IF;
  END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT e.team_id, 'emails', CASE WHEN count(*) <= 100 THEN array_agg(n.email_id::text) END
  FROM (SELECT DISTINCT email_id FROM added) n
  CROSS JOIN LATERAL (
    SELECT team_id FROM published_emails WHERE id = n.email_id AND id BETWEEN first AND last LIMIT 1
  ) e
  WHERE e.team_id = ANY (watched)
  GROUP BY e.team_id;
  RETURN NULL;
END $$;
