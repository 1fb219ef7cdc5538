-- Mail of a route, as events where an automation of the team begins with it. See tell_automations_of_received(). The id of the event begins with the
-- time of the email, and is always the same for an email and a route.
CREATE OR REPLACE FUNCTION tell_automations_of_routes() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  heard bigint;
BEGIN
  INSERT INTO custom_event_occurrences (id, team_id, event_name, email, subject_id, payload, depth, is_answer)
  SELECT (left(replace(r.id::text, '-', ''), 16) || right(md5(r.id::text || n.route_id::text), 16))::uuid,
         r.team_id, 'resend:email.received', automation_address(r."from"), n.route_id,
         jsonb_build_object('email_id', r.id, 'from', r."from", 'to', r."to", 'subject', r.subject, 'message_id', r.message_id,
                            'author', CASE WHEN r.is_author_proven THEN 'proven' ELSE 'unproven' END),
         r.depth, true
  FROM added n
  JOIN published_received_emails r ON r.id = n.received_id AND r.team_id = n.team_id
  WHERE n.action = 'automation' AND r.mail_from <> '' AND r.automatic IS NULL
    AND EXISTS (SELECT FROM automation_triggers t
                WHERE t.team_id = n.team_id AND t.event_name = 'resend:email.received' AND t.subject_id = n.route_id)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS heard = ROW_COUNT;
  IF heard > 0 THEN PERFORM pg_notify('postrider_broadcast', 'automations:'); END IF;
  RETURN NULL;
END $$;
