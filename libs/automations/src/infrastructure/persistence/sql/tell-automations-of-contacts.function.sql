-- Contacts that were added, as events where an automation of the team begins with them. A statement without such a contact
-- costs one look-up for its team.
CREATE OR REPLACE FUNCTION tell_automations_of_contacts() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  listening uuid[];
BEGIN
  SELECT array_agg(DISTINCT t.team_id) INTO listening
  FROM (SELECT DISTINCT team_id FROM added) n
  JOIN automation_triggers t ON t.team_id = n.team_id AND t.event_name = 'resend:contact.created';
  IF listening IS NULL THEN RETURN NULL; END IF;
  INSERT INTO custom_event_occurrences (id, team_id, event_name, contact_id, payload, depth)
  SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.id)), n.team_id, 'resend:contact.created', n.id,
         jsonb_build_object('contact_id', n.id, 'email', n.email, 'first_name', n.first_name, 'last_name', n.last_name),
         automation_depth()
  FROM added n WHERE n.team_id = ANY (listening);
  PERFORM pg_notify('postrider_broadcast', 'automations:');
  RETURN NULL;
END $$;
