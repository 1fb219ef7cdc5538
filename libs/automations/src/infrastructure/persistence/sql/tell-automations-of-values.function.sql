-- Contacts whose properties may have other dates now, for the automations of the team that begin on a date of them. Only
-- that they changed is noted: who follows the dates reads the contact.
CREATE OR REPLACE FUNCTION tell_automations_of_values() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  watching uuid[];
BEGIN
  SELECT array_agg(DISTINCT d.team_id) INTO watching
  FROM (SELECT DISTINCT team_id FROM added) n JOIN automation_date_triggers d ON d.team_id = n.team_id;
  IF watching IS NULL THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO automation_changed_contacts (id, team_id, contact_id)
    SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.id)), n.team_id, n.id
    FROM added n WHERE n.team_id = ANY (watching) AND n.properties <> '{}';
  ELSE
    INSERT INTO automation_changed_contacts (id, team_id, contact_id)
    SELECT automation_event_id(moment, row_number() OVER (ORDER BY n.id)), n.team_id, n.id
    FROM added n JOIN earlier o ON o.id = n.id WHERE n.team_id = ANY (watching) AND n.properties <> o.properties;
  END IF;
  RETURN NULL;
END $$;
