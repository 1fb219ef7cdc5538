-- Routes with whose mail enabled automations begin, for the other libs to read. Columns may be added at the end; removing one
-- takes two releases.
CREATE OR REPLACE VIEW published_automation_routes AS
  SELECT team_id, subject_id AS route_id FROM automation_triggers
  WHERE event_name = 'resend:email.received' AND subject_id IS NOT NULL;
