-- Notes down the types of events of a team that belong to no email. See tell_live_of_email_events().
CREATE OR REPLACE FUNCTION tell_live_of_team_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT team_id, 'events', array_agg(DISTINCT type) FROM added
  WHERE team_id IN (SELECT team_id FROM live_watches WHERE until > now())
  GROUP BY team_id;
  RETURN NULL;
END $$;
