-- Notes down that a caret moved. Nothing else is news of a tab that is still there.
CREATE OR REPLACE FUNCTION tell_live_of_cursors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM live_watches WHERE until > now()) THEN RETURN NULL; END IF;
  INSERT INTO live_changes (team_id, topic, names)
  SELECT DISTINCT c.team_id, 'events', ARRAY['editor.updated']
  FROM changed c JOIN before b USING (team_id, resource_id, client_id)
  WHERE (c.anchor, c.head) IS DISTINCT FROM (b.anchor, b.head)
    AND c.team_id IN (SELECT team_id FROM live_watches WHERE until > now());
  RETURN NULL;
END $$;
