-- Notes down that the state or the progress of a broadcast has changed, as often as that is written. See tell_live_of_email_events().
CREATE OR REPLACE FUNCTION tell_live_of_broadcasts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT DISTINCT team_id, 'events', ARRAY['broadcast.updated'] FROM added
  WHERE team_id IN (SELECT team_id FROM live_watches WHERE until > now());
  RETURN NULL;
END $$;
