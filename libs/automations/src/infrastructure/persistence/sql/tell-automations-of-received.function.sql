-- Mail that was announced by `email.received`, as events where an automation of the team begins with received mail. The id
-- of the event is that of the email, so that an announcement that is repeated begins nothing again. Bounces, mail of
-- programs and of lists are left out: nothing may answer them.
CREATE OR REPLACE FUNCTION tell_automations_of_received() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  heard bigint;
BEGIN
  INSERT INTO custom_event_occurrences (id, team_id, event_name, email, payload, depth, is_answer)
  SELECT r.id, r.team_id, 'resend:email.received', automation_address(r."from"),
         jsonb_build_object('email_id', r.id, 'from', r."from", 'to', r."to", 'subject', r.subject, 'message_id', r.message_id,
                            'author', CASE WHEN r.is_author_proven THEN 'proven' ELSE 'unproven' END),
         r.depth, true
  FROM added n
  JOIN published_received_emails r ON r.id = (n.data ->> 'email_id')::uuid AND r.team_id = n.team_id
  WHERE n.type = 'email.received' AND r.mail_from <> '' AND r.automatic IS NULL
    AND EXISTS (SELECT FROM automation_triggers t
                WHERE t.team_id = n.team_id AND t.event_name = 'resend:email.received' AND t.subject_id IS NULL)
  ON CONFLICT (id) DO NOTHING;
  GET DIAGNOSTICS heard = ROW_COUNT;
  IF heard > 0 THEN PERFORM pg_notify('postrider_broadcast', 'automations:'); END IF;
  RETURN NULL;
END $$;
