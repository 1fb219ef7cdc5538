import { maxCountedLinks } from '../../../domain/broadcast-events.js';

const quarterOf = (time: string): string => `date_bin('15 minutes', ${time}, 'epoch'::timestamptz)`;

/**
 * Adds what happened to recipients and to links, and returns what that adds to the counters, by broadcast, subject of a
 * test and quarter of an hour. A thing counts for a recipient if its row is new (`xmax = 0`), which makes opens and
 * clicks unique; machines make no rows.
 *
 * $1: the events as JSON. Rows are written in the order of their keys, so that two writers cannot deadlock.
 */
export const addResults = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1::json)
      AS e (email_id uuid, kind text, at timestamptz, machine boolean, bounce_type text, link text)
  ), mine AS MATERIALIZED (
    SELECT r.broadcast_id, r.contact_id, r.variant, g.kind, g.at, g.machine, g.bounce_type, g.link
    FROM given g JOIN broadcast_recipients r ON r.email_id = g.email_id
  ), results AS (
    INSERT INTO broadcast_results AS b (broadcast_id, kind, contact_id, count, bounce_type, first_at)
    SELECT broadcast_id, kind, contact_id, count(*)::int, max(bounce_type), min(at)
    FROM mine WHERE kind <> 'delivery_delayed' AND NOT machine
    GROUP BY broadcast_id, kind, contact_id ORDER BY broadcast_id, kind, contact_id
    ON CONFLICT (broadcast_id, kind, contact_id) DO UPDATE SET count = b.count + EXCLUDED.count
    RETURNING broadcast_id, contact_id, kind, first_at, bounce_type, xmax = 0 AS is_new
  ), clicked AS MATERIALIZED (
    SELECT broadcast_id, contact_id, link, md5(broadcast_id || ' ' || link)::uuid AS link_id, count(*)::int AS clicks
    FROM mine WHERE link IS NOT NULL AND NOT machine GROUP BY 1, 2, 3
  ), counted AS MATERIALIZED (
    SELECT * FROM clicked c
    WHERE EXISTS (SELECT FROM broadcast_links l WHERE l.broadcast_id = c.broadcast_id AND l.id = c.link_id)
       OR (SELECT count(*) FROM broadcast_links l WHERE l.broadcast_id = c.broadcast_id) < ${maxCountedLinks}
  ), of_recipients AS (
    INSERT INTO broadcast_recipient_links AS l (broadcast_id, contact_id, link_id, clicks)
    SELECT broadcast_id, contact_id, link_id, clicks FROM counted ORDER BY broadcast_id, contact_id, link_id
    ON CONFLICT (broadcast_id, contact_id, link_id) DO UPDATE SET clicks = l.clicks + EXCLUDED.clicks
    RETURNING broadcast_id, link_id, xmax = 0 AS is_new
  ), links AS (
    INSERT INTO broadcast_links AS l (broadcast_id, id, url, clicks, unique_clicks)
    SELECT c.broadcast_id, c.link_id, max(c.link), sum(c.clicks),
           (SELECT count(*) FROM of_recipients r WHERE r.broadcast_id = c.broadcast_id AND r.link_id = c.link_id AND r.is_new)
    FROM counted c GROUP BY c.broadcast_id, c.link_id ORDER BY c.broadcast_id, c.link_id
    ON CONFLICT (broadcast_id, id)
      DO UPDATE SET clicks = l.clicks + EXCLUDED.clicks, unique_clicks = l.unique_clicks + EXCLUDED.unique_clicks
  ), added AS (
    SELECT broadcast_id, variant, ${quarterOf('at')} AS quarter, kind, bounce_type, count(*) AS events, 0 AS fresh
    FROM mine GROUP BY 1, 2, 3, 4, 5
    UNION ALL
    SELECT broadcast_id, m.variant, ${quarterOf('first_at')}, kind, bounce_type, 0, count(*)
    FROM results r JOIN (SELECT DISTINCT broadcast_id, contact_id, variant FROM mine) m USING (broadcast_id, contact_id)
    WHERE is_new GROUP BY 1, 2, 3, 4, 5
  )
  SELECT broadcast_id AS "broadcastId", variant, quarter, kind, bounce_type AS "bounceType",
         sum(events)::int AS events, sum(fresh)::int AS fresh
  FROM added GROUP BY 1, 2, 3, 4, 5`;

/** $1: the rows of `addResults` as JSON. */
export const addCounters = `
  INSERT INTO broadcast_counters AS c (team_id, broadcast_id, quarter, domain_id, delivered, delivery_delayed, bounced,
    bounced_transient, bounced_permanent, complained, suppressed, failed, opened, clicked, unique_opened, unique_clicked)
  SELECT b.team_id, a."broadcastId", a.quarter, b.domain_id,
         coalesce(sum(events) FILTER (WHERE kind = 'delivered'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'delivery_delayed'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'bounced'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'bounced' AND "bounceType" = 'transient'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'bounced' AND "bounceType" = 'permanent'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'complained'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'suppressed'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'failed'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'opened'), 0),
         coalesce(sum(events) FILTER (WHERE kind = 'clicked'), 0),
         coalesce(sum(fresh) FILTER (WHERE kind = 'opened'), 0),
         coalesce(sum(fresh) FILTER (WHERE kind = 'clicked'), 0)
  FROM json_to_recordset($1::json) AS a ("broadcastId" uuid, quarter timestamptz, kind text, "bounceType" text, events int, fresh int)
  JOIN broadcasts b ON b.id = a."broadcastId" AND b.domain_id IS NOT NULL
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3
  ON CONFLICT (team_id, broadcast_id, quarter) DO UPDATE SET
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
    unique_clicked = c.unique_clicked + EXCLUDED.unique_clicked`;

/** $1: the rows of `addResults` as JSON. Each recipient counts once for each kind. */
export const addProgress = `
  UPDATE broadcast_progress p SET
    delivered = p.delivered + a.delivered, delivery_delayed = p.delivery_delayed + a.delivery_delayed,
    bounced = p.bounced + a.bounced, complained = p.complained + a.complained, suppressed = p.suppressed + a.suppressed,
    failed = p.failed + a.failed, opened = p.opened + a.opened, clicked = p.clicked + a.clicked, updated_at = $2
  FROM (
    SELECT "broadcastId",
           coalesce(sum(fresh) FILTER (WHERE kind = 'delivered'), 0) AS delivered,
           coalesce(sum(events) FILTER (WHERE kind = 'delivery_delayed'), 0) AS delivery_delayed,
           coalesce(sum(fresh) FILTER (WHERE kind = 'bounced'), 0) AS bounced,
           coalesce(sum(fresh) FILTER (WHERE kind = 'complained'), 0) AS complained,
           coalesce(sum(fresh) FILTER (WHERE kind = 'suppressed'), 0) AS suppressed,
           coalesce(sum(fresh) FILTER (WHERE kind = 'failed'), 0) AS failed,
           coalesce(sum(fresh) FILTER (WHERE kind = 'opened'), 0) AS opened,
           coalesce(sum(fresh) FILTER (WHERE kind = 'clicked'), 0) AS clicked
    FROM json_to_recordset($1::json) AS g ("broadcastId" uuid, kind text, events int, fresh int)
    GROUP BY 1 ORDER BY 1
  ) a
  WHERE p.broadcast_id = a."broadcastId"`;

/** $1: the rows of `addResults` as JSON. Runs after the progress update, to keep the lock order. */
export const addSubjects = `
  UPDATE broadcast_subjects s SET
    delivered = s.delivered + a.delivered, bounced = s.bounced + a.bounced, complained = s.complained + a.complained,
    opened = s.opened + a.opened, clicked = s.clicked + a.clicked
  FROM (
    SELECT "broadcastId", variant,
           coalesce(sum(fresh) FILTER (WHERE kind = 'delivered'), 0) AS delivered,
           coalesce(sum(fresh) FILTER (WHERE kind = 'bounced'), 0) AS bounced,
           coalesce(sum(fresh) FILTER (WHERE kind = 'complained'), 0) AS complained,
           coalesce(sum(fresh) FILTER (WHERE kind = 'opened'), 0) AS opened,
           coalesce(sum(fresh) FILTER (WHERE kind = 'clicked'), 0) AS clicked
    FROM json_to_recordset($1::json) AS g ("broadcastId" uuid, variant smallint, kind text, fresh int)
    WHERE variant IS NOT NULL AND fresh > 0 GROUP BY 1, 2
  ) a
  WHERE s.broadcast_id = a."broadcastId" AND s.variant = a.variant`;
