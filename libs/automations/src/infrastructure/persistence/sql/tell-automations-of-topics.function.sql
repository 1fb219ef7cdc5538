-- Contacts that chose to get a topic, as events where an automation of the team begins with it. A choice that is repeated
-- changes no row.
CREATE OR REPLACE FUNCTION tell_automations_of_topics() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  listening uuid[];
BEGIN
  SELECT array_agg(DISTINCT t.subject_id) INTO listening
  FROM (SELECT DISTINCT team_id, topic_id FROM changed WHERE subscription = 'opt_in') n
  JOIN automation_triggers t
    ON t.team_id = n.team_id AND t.event_name = 'resend:topic.subscribed' AND t.subject_id = n.topic_id;
  IF listening IS NULL THEN RETURN NULL; END IF;
  INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, subject_id, payload, depth)
  SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.contact_id)), n.team_id, 'resend:topic.subscribed',
         n.contact_id, n.topic_id, jsonb_build_object('topic_id', n.topic_id), automation_depth()
  FROM changed n WHERE n.topic_id = ANY (listening) AND n.subscription = 'opt_in';
  PERFORM pg_notify('postrider_broadcast', 'automations:');
  RETURN NULL;
END $$;
