-- Makes the webhook messages for events of a team that belong to no email. See tell_webhooks_of_email_events().
CREATE OR REPLACE FUNCTION tell_webhooks_of_team_events() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  woken bigint;
BEGIN
  WITH told AS MATERIALIZED (
    SELECT webhook_message_id(moment, row_number() OVER (ORDER BY n.created_at, n.id)) AS id,
           w.id AS webhook_id, n.id AS source_id, NULL::integer AS seq, n.created_at, n.type
    FROM added n JOIN webhooks w ON w.team_id = n.team_id AND n.type = ANY (w.events)
  ), logged AS (
    INSERT INTO webhook_messages (id, webhook_id, seq, created_at, type, status, source_id)
    SELECT id, webhook_id, seq, created_at, type, 'pending', source_id FROM told
  ), queued AS (
    INSERT INTO webhook_queue (message_id, webhook_id, seq, created_at, due_at, type, source_id)
    SELECT id, webhook_id, seq, created_at, created_at, type, source_id FROM told
  )
  SELECT count(pg_notify('postrider_broadcast', 'webhook-work:' || t.webhook_id)) INTO woken
  FROM (SELECT DISTINCT webhook_id FROM told) t
  WHERE EXISTS (SELECT FROM webhooks w WHERE w.id = t.webhook_id AND w.status = 'enabled'
                AND (w.probe_at IS NULL OR w.probe_at <= now()))
    AND NOT EXISTS (SELECT FROM webhook_lanes l WHERE l.webhook_id = t.webhook_id AND l.until > now());
  RETURN NULL;
END $$;
