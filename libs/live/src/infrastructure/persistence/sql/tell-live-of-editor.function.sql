-- Like tell_live_of_team_events(): that somebody opened, left or wrote a content in the editor.
CREATE OR REPLACE FUNCTION tell_live_of_editor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT DISTINCT team_id, 'events', ARRAY['editor.updated'] FROM changed
  WHERE team_id IN (SELECT team_id FROM live_watches WHERE until > now());
  RETURN NULL;
END $$;
