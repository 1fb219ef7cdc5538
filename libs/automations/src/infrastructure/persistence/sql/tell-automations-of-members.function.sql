-- Contacts that were added to segments without a filter, as events where an automation of the team begins with the segment.
CREATE OR REPLACE FUNCTION tell_automations_of_members() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  listening uuid[];
BEGIN
  SELECT array_agg(DISTINCT t.subject_id) INTO listening
  FROM (SELECT DISTINCT team_id, segment_id FROM added) n
  JOIN automation_triggers t
    ON t.team_id = n.team_id AND t.event_name = 'resend:segment.entered' AND t.subject_id = n.segment_id;
  IF listening IS NULL THEN RETURN NULL; END IF;
  INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, subject_id, payload, depth)
  SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.contact_id)), n.team_id, 'resend:segment.entered',
         n.contact_id, n.segment_id, jsonb_build_object('segment_id', n.segment_id), automation_depth()
  FROM added n WHERE n.segment_id = ANY (listening);
  PERFORM pg_notify('postrider_broadcast', 'automations:');
  RETURN NULL;
END $$;
