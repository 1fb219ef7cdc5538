-- Adds events to the counters of their team, quarter of an hour and domain, in the statement that writes them.
--
-- The lookup of an email is LATERAL with a limit: as a join it could be planned as a scan of a day's emails. The bounds let
-- PostgreSQL skip the partitions of other days. The order of the rows prevents deadlocks between writers. The second
-- statement is for batches without opens and clicks: it omits the lookup of earlier events, which costs time even if there
-- is nothing to look up.
CREATE OR REPLACE FUNCTION count_email_events() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first_id uuid;
  last_id uuid;
BEGIN
  SELECT email_id INTO first_id FROM fresh ORDER BY email_id LIMIT 1;
  IF first_id IS NULL THEN RETURN NULL; END IF;
  SELECT email_id INTO last_id FROM fresh ORDER BY email_id DESC LIMIT 1;
  IF EXISTS (SELECT FROM fresh WHERE type IN ('email.opened', 'email.clicked')) THEN
    WITH engaged AS MATERIALIZED (
      SELECT array_agg(email_id) AS email_ids, array_agg(seq) AS seqs, array_agg(recipient_no) AS recipient_nos,
             array_agg(type) AS types, array_agg(data) AS datas
      FROM fresh WHERE type IN ('email.opened', 'email.clicked')
    ), uniques AS MATERIALIZED (
      SELECT u.email_id, u.seq
      FROM engaged g, first_human_engagements(g.email_ids, g.seqs, g.recipient_nos, g.types, g.datas, first_id, last_id) u
    )
    INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, sent, delivered, delivery_delayed, bounced, bounced_transient, bounced_permanent,
                                     complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked)
    SELECT e.team_id, date_bin('15 minutes', f.created_at, 'epoch'::timestamptz), e.domain_id, pg_backend_pid() % 8,
           count(*) FILTER (WHERE f.type = 'email.sent'),
           count(*) FILTER (WHERE f.type = 'email.delivered'),
           count(*) FILTER (WHERE f.type = 'email.delivery_delayed'),
           count(*) FILTER (WHERE f.type = 'email.bounced'),
           count(*) FILTER (WHERE f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Transient'),
           count(*) FILTER (WHERE f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Permanent'),
           count(*) FILTER (WHERE f.type = 'email.complained'),
           count(*) FILTER (WHERE f.type = 'email.suppressed'),
           count(*) FILTER (WHERE f.type = 'email.failed'),
           count(*) FILTER (WHERE f.type = 'email.opened'),
           count(*) FILTER (WHERE f.type = 'email.clicked'),
           count(*) FILTER (WHERE f.type = 'email.opened' AND u.seq IS NOT NULL),
           count(*) FILTER (WHERE f.type = 'email.clicked' AND u.seq IS NOT NULL)
    FROM fresh f LEFT JOIN uniques u ON u.email_id = f.email_id AND u.seq = f.seq CROSS JOIN LATERAL (
      SELECT team_id, domain_id FROM published_emails WHERE id = f.email_id AND id BETWEEN first_id AND last_id LIMIT 1
    ) e
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE SET
      sent = c.sent + EXCLUDED.sent,
      delivered = c.delivered + EXCLUDED.delivered,
      delivery_delayed = c.delivery_delayed + EXCLUDED.delivery_delayed,
      bounced = c.bounced + EXCLUDED.bounced,
      bounced_transient = c.bounced_transient + EXCLUDED.bounced_transient,
      bounced_permanent = c.bounced_permanent + EXCLUDED.bounced_permanent,
      complained = c.complained + EXCLUDED.complained,
      suppressed = c.suppressed + EXCLUDED.suppressed,
      failed = c.failed + EXCLUDED.failed,
      opened = c.opened + EXCLUDED.opened,
      clicked = c.clicked + EXCLUDED.clicked,
      unique_opened = c.unique_opened + EXCLUDED.unique_opened,
      unique_clicked = c.unique_clicked + EXCLUDED.unique_clicked;
  ELSE
    INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, sent, delivered, delivery_delayed, bounced, bounced_transient, bounced_permanent,
                                     complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked)
    SELECT e.team_id, date_bin('15 minutes', f.created_at, 'epoch'::timestamptz), e.domain_id, pg_backend_pid() % 8,
           count(*) FILTER (WHERE f.type = 'email.sent'),
           count(*) FILTER (WHERE f.type = 'email.delivered'),
           count(*) FILTER (WHERE f.type = 'email.delivery_delayed'),
           count(*) FILTER (WHERE f.type = 'email.bounced'),
           count(*) FILTER (WHERE f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Transient'),
           count(*) FILTER (WHERE f.type = 'email.bounced' AND f.data -> 'bounce' ->> 'type' = 'Permanent'),
           count(*) FILTER (WHERE f.type = 'email.complained'),
           count(*) FILTER (WHERE f.type = 'email.suppressed'),
           count(*) FILTER (WHERE f.type = 'email.failed'),
           count(*) FILTER (WHERE f.type = 'email.opened'),
           count(*) FILTER (WHERE f.type = 'email.clicked'),
           0,
           0
    FROM fresh f CROSS JOIN LATERAL (
      SELECT team_id, domain_id FROM published_emails WHERE id = f.email_id AND id BETWEEN first_id AND last_id LIMIT 1
    ) e
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE SET
      sent = c.sent + EXCLUDED.sent,
      delivered = c.delivered + EXCLUDED.delivered,
      delivery_delayed = c.delivery_delayed + EXCLUDED.delivery_delayed,
      bounced = c.bounced + EXCLUDED.bounced,
      bounced_transient = c.bounced_transient + EXCLUDED.bounced_transient,
      bounced_permanent = c.bounced_permanent + EXCLUDED.bounced_permanent,
      complained = c.complained + EXCLUDED.complained,
      suppressed = c.suppressed + EXCLUDED.suppressed,
      failed = c.failed + EXCLUDED.failed,
      opened = c.opened + EXCLUDED.opened,
      clicked = c.clicked + EXCLUDED.clicked,
      unique_opened = c.unique_opened + EXCLUDED.unique_opened,
      unique_clicked = c.unique_clicked + EXCLUDED.unique_clicked;
  END IF;
  RETURN NULL;
END $$;
