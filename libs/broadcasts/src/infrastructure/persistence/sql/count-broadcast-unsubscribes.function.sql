-- Counts who unsubscribed by a link of a broadcast, each recipient once. The counters come last and in the order in which slices of the
-- fan-out write them, so that the two cannot deadlock.
CREATE OR REPLACE FUNCTION count_broadcast_unsubscribes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  contacts uuid[];
BEGIN
  IF NOT EXISTS (SELECT FROM fresh WHERE email_id IS NOT NULL) THEN RETURN NULL; END IF;
  WITH added AS (
    INSERT INTO broadcast_results (broadcast_id, kind, contact_id, first_at)
    SELECT r.broadcast_id, 'unsubscribed', r.contact_id, min(f.created_at)
    FROM fresh f JOIN broadcast_recipients r ON r.email_id = f.email_id AND r.team_id = f.team_id
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (broadcast_id, kind, contact_id) DO NOTHING RETURNING broadcast_id, contact_id
  )
  SELECT array_agg(broadcast_id), array_agg(contact_id) INTO ids, contacts FROM added;
  IF ids IS NULL THEN RETURN NULL; END IF;
  INSERT INTO broadcast_counters AS c (team_id, broadcast_id, quarter, domain_id, unsubscribed)
  SELECT b.team_id, b.id, date_bin('15 minutes', now(), 'epoch'::timestamptz), b.domain_id, count(*)
  FROM unnest(ids) AS i (id) JOIN broadcasts b ON b.id = i.id AND b.domain_id IS NOT NULL
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3
  ON CONFLICT (team_id, broadcast_id, quarter) DO UPDATE SET unsubscribed = c.unsubscribed + EXCLUDED.unsubscribed;
  UPDATE broadcast_progress p SET unsubscribed = p.unsubscribed + a.added, updated_at = now()
  FROM (SELECT i.id, count(*) AS added FROM unnest(ids) AS i (id) GROUP BY 1 ORDER BY 1) a
  WHERE p.broadcast_id = a.id;
  UPDATE broadcast_subjects s SET unsubscribed = s.unsubscribed + a.added
  FROM (SELECT r.broadcast_id, r.variant, count(*) AS added
        FROM unnest(ids, contacts) AS i (broadcast_id, contact_id)
        JOIN broadcast_recipients r ON r.broadcast_id = i.broadcast_id AND r.contact_id = i.contact_id
        WHERE r.variant IS NOT NULL GROUP BY 1, 2) a
  WHERE s.broadcast_id = a.broadcast_id AND s.variant = a.variant;
  RETURN NULL;
END $$;
