-- Makes the webhook messages in the statement that writes events of emails, so that no code can write an event without its
-- messages. At the commit it notifies the workers of endpoints that may be called now and whose lane no worker has. The
-- topic and the channel are those of `Broadcast`. Messages of the other endpoints are found by the worker that has the lane
-- or by the sweep each second. A notification for every commit would cost more: PostgreSQL serialises commits that notify.
--
-- The settings allow index probes only, whatever the statistics were when the session planned the statements.
CREATE OR REPLACE FUNCTION tell_webhooks_of_email_events() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  first uuid;
  last uuid;
  woken bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM webhooks) THEN RETURN NULL; END IF;
  SELECT email_id INTO first FROM added ORDER BY email_id LIMIT 1;
  IF first IS NULL THEN RETURN NULL; END IF;
  SELECT email_id INTO last FROM added ORDER BY email_id DESC LIMIT 1;
  WITH told AS MATERIALIZED (
    SELECT webhook_message_id(moment, row_number() OVER (ORDER BY n.created_at, n.email_id, n.seq)) AS id,
           w.id AS webhook_id, n.email_id AS source_id, n.seq, n.created_at, n.type
    FROM added n
    CROSS JOIN LATERAL (
      SELECT team_id, domain_id FROM published_emails WHERE id = n.email_id AND id BETWEEN first AND last LIMIT 1
    ) e
    JOIN webhooks w ON w.team_id = e.team_id AND n.type = ANY (w.events)
      AND (w.domain_id IS NULL OR w.domain_id = e.domain_id)
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
