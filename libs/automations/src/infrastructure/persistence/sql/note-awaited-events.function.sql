-- Names of events for which runs of a new version may wait, or that are a goal of them. What happens to emails is found by email.
CREATE OR REPLACE FUNCTION note_awaited_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO automation_awaited_events (team_id, event_name, automation_id, version)
  SELECT DISTINCT a.team_id, s #>> '{config,event_name}', n.automation_id, n.version
  FROM added n JOIN automations a ON a.id = n.automation_id CROSS JOIN LATERAL jsonb_array_elements(n.graph -> 'steps') s
  WHERE s ->> 'type' IN ('wait_for_event', 'goal') AND s #>> '{config,event_name}' NOT LIKE 'resend:%'
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
