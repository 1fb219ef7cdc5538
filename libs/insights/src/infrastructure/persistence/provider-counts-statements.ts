import { providerTypes } from '#events';
import { Statement, storableJson } from '#postgres/database';
import { OutcomeSpan } from '../../application/ports/provider-counters.port.js';
import { AddedCounts, hourlyKinds, timeLimits } from '../../domain/provider-counts.js';
import { maxSites } from '../../domain/mailbox-provider.js';

const byMailDomain = (address: string): string => `'@' || lower(split_part(${address}, '@', -1))`;

/** The domain of the recipient of `f`, by a look-up. */
const recipientDomain = `(
                 SELECT ${byMailDomain('r.address')} FROM published_recipients r
                 WHERE r.email_id = f.email_id AND r.no = f.recipient_no AND r.email_id BETWEEN $3 AND $4)`;

/** The domain of the recipient of `f`. That of the first one stands in the email, perhaps with a name: `Ada <ada@example.org>`. */
const domainInEmail = `CASE WHEN f.recipient_no = 0 THEN ${byMailDomain(`rtrim(e."to"[1], '>')`)} ELSE ${recipientDomain} END`;

/** The email of the event `f`, for LATERAL with a limit: as a join it could be planned as a scan. */
const emailOf = `SELECT team_id, domain_id, created_at, scheduled_at, "to" FROM published_emails
          WHERE id = f.email_id AND id BETWEEN $3 AND $4 LIMIT 1`;

/**
 * Where mail went, and how the connection was protected. The attempt is looked up only where it names the mail host of the recipient and
 * not that of a relay.
 */
const deliveries = (usesMx: boolean): string => `
        SELECT e.team_id, e.domain_id, date_trunc('hour', f.created_at, 'UTC') AS hour,
               ${usesMx ? `coalesce(lower(a.host), ${domainInEmail})` : domainInEmail} AS receiver,
               f.email_id, 'delivered' AS event, NULL AS category, ${usesMx ? `a.tls ->> 'level'` : 'NULL'} AS tls,
               width_bucket(extract(epoch FROM f.created_at - greatest(e.created_at, e.scheduled_at))::float8, $5::float8[]) AS time,
               NULL AS reply
        FROM fresh f
        CROSS JOIN LATERAL (
          ${emailOf}
        ) e
        ${
          usesMx
            ? `LEFT JOIN LATERAL (
          SELECT host, tls FROM published_delivery_attempts t
          WHERE t.email_id = f.email_id AND t.recipient_no = f.recipient_no AND t.email_id BETWEEN $3 AND $4
            AND t.outcome = 'delivered' LIMIT 1
        ) a ON true`
            : ''
        }
        WHERE f.type = 'email.delivered'`;

/**
 * Groups the events of a stretch of the log. Nearly all are deliveries, so these have a branch of their own, which costs 5 to 10 µs each:
 * a message as a whole takes a millisecond.
 *
 * The others are about an attempt: a deferral, which is told only once, about the first one, the rest about the last one. A bounce after a
 * delivery came as a report by mail, so its category is that of the report. It and a complaint count in the hour of the delivery, so
 * that a rate is a share of the messages that it is about. The bounds of the ids let PostgreSQL skip the partitions of other days.
 */
export function outcomesStatement(
  { after, position, firstEmailId, lastEmailId }: OutcomeSpan,
  usesMx: boolean,
): Statement {
  return {
    name: 'outcomes-by-provider',
    text: `
      WITH fresh AS MATERIALIZED (
        SELECT email_id, seq, recipient_no, created_at, type, data FROM published_email_events
        WHERE position > $1 AND position <= $2 AND recipient_no IS NOT NULL
          AND type IN (${providerTypes.map((type) => `'${type}'`).join(', ')})
      ), opened AS MATERIALIZED (
        SELECT array_agg(email_id) AS email_ids, array_agg(seq) AS seqs, array_agg(recipient_no) AS recipient_nos,
               array_agg(type) AS types, array_agg(data) AS datas
        FROM fresh WHERE type = 'email.opened'
      ), others AS (
        SELECT email_id, recipient_no, created_at, type, data FROM fresh
        WHERE type NOT IN ('email.opened', 'email.delivered')
        UNION ALL
        SELECT f.email_id, f.recipient_no, f.created_at, f.type, f.data
        FROM opened o, first_human_engagements(o.email_ids, o.seqs, o.recipient_nos, o.types, o.datas, $3, $4) u
        JOIN fresh f ON f.email_id = u.email_id AND f.seq = u.seq
      ), named AS (${deliveries(usesMx)}
        UNION ALL
        SELECT e.team_id, e.domain_id,
               date_trunc('hour', CASE WHEN a.outcome = 'delivered' AND f.type <> 'email.opened' THEN a.started_at ELSE f.created_at END,
                          'UTC') AS hour,
               ${usesMx ? `coalesce(lower(a.host), ${recipientDomain})` : recipientDomain} AS receiver, f.email_id,
               CASE f.type WHEN 'email.delivery_delayed' THEN 'deferred' ELSE replace(f.type, 'email.', '') END AS event,
               CASE WHEN f.type IN ('email.complained', 'email.opened') THEN NULL
                    WHEN a.outcome = 'delivered' THEN coalesce((
                      SELECT category FROM published_feedback_reports p
                      WHERE p.email_id = f.email_id AND p.recipient_no = f.recipient_no AND p.email_id BETWEEN $3 AND $4
                        AND p.category IS NOT NULL
                      ORDER BY p.received_at DESC LIMIT 1), 'unknown')
                    WHEN a.category IS NULL AND a.reply_code IS NULL THEN 'unreachable'
                    ELSE coalesce(a.category, 'unknown') END AS category,
               NULL AS tls, NULL AS time,
               CASE WHEN f.type IN ('email.complained', 'email.opened') THEN NULL
                    WHEN a.outcome <> 'delivered' AND a.reply_code IS NOT NULL
                    THEN concat_ws(' ', a.reply_code, a.enhanced_code, a.reply_text)
                    ELSE coalesce(f.data -> 'bounce' ->> 'message', a.reason) END AS reply
        FROM others f
        CROSS JOIN LATERAL (
          ${emailOf}
        ) e
        LEFT JOIN LATERAL (
          SELECT host, started_at, outcome, category, reason, reply_code, enhanced_code, reply_text
          FROM published_delivery_attempts t
          WHERE t.email_id = f.email_id AND t.recipient_no = f.recipient_no AND t.email_id BETWEEN $3 AND $4
          ORDER BY CASE WHEN f.type = 'email.delivery_delayed' THEN t.attempt ELSE -t.attempt END LIMIT 1
        ) a ON true
        -- No address of ours was ready: that says nothing about the provider.
        WHERE (a.category = 'our-fault' AND a.reply_code IS NULL) IS NOT TRUE
      )
      SELECT team_id AS "teamId", domain_id AS "domainId", hour, receiver, event, category, tls, time, count(*)::int AS count,
             (array_agg(reply) FILTER (WHERE reply IS NOT NULL))[1] AS reply,
             (array_agg(email_id) FILTER (WHERE reply IS NOT NULL))[1] AS "emailId"
      FROM named WHERE receiver IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
    values: [after, position, firstEmailId, lastEmailId, timeLimits],
  };
}

/** People who unsubscribed by the link of an email. The link belongs to its first recipient as far as anyone can tell. */
export function unsubscribesStatement(span: OutcomeSpan, usesMx: boolean): Statement {
  return {
    name: 'unsubscribes-by-provider',
    text: `
      WITH f AS MATERIALIZED (
        SELECT u.email_id, u.created_at, (
                 SELECT r.no FROM published_recipients r WHERE r.email_id = u.email_id AND r.email_id BETWEEN $3 AND $4
                 ORDER BY r.no LIMIT 1) AS recipient_no
        FROM published_unsubscribes u WHERE u.position > $1 AND u.position <= $2 AND u.email_id IS NOT NULL
      )
      SELECT e.team_id AS "teamId", e.domain_id AS "domainId", date_trunc('hour', f.created_at, 'UTC') AS hour,
             ${usesMx ? `coalesce(lower(a.host), ${recipientDomain})` : recipientDomain} AS receiver, 'unsubscribed' AS event, NULL AS category, NULL AS tls, NULL AS time,
             1 AS count, NULL AS reply, NULL AS "emailId"
      FROM f
      CROSS JOIN LATERAL (
        SELECT team_id, domain_id FROM published_emails WHERE id = f.email_id AND id BETWEEN $3 AND $4 LIMIT 1
      ) e
      LEFT JOIN LATERAL (
        SELECT host FROM published_delivery_attempts t
        WHERE t.email_id = f.email_id AND t.recipient_no = f.recipient_no AND t.email_id BETWEEN $3 AND $4
        ORDER BY t.attempt DESC LIMIT 1
      ) a ON true
      WHERE f.recipient_no IS NOT NULL`,
    values: [span.after, span.position, span.firstEmailId, span.lastEmailId],
  };
}

export function sitesStatement(keys: readonly { readonly domainId: string; readonly day: string }[]): Statement {
  return {
    name: 'sites-of-days',
    text: `SELECT k.domain_id AS "domainId", k.day::text AS day, s.provider
           FROM unnest($1::uuid[], $2::date[]) AS k (domain_id, day) CROSS JOIN LATERAL (
             SELECT DISTINCT provider FROM provider_counts c
             WHERE c.domain_id = k.domain_id AND c.day = k.day AND strpos(c.provider, '.') > 0 LIMIT ${maxSites}
           ) s`,
    values: [keys.map(({ domainId }) => domainId), keys.map(({ day }) => day)],
  };
}

/** In the order of the key, so that two writers cannot deadlock. */
export function addDaysStatement(days: AddedCounts['days']): Statement {
  return {
    name: 'add-provider-counts',
    text: `INSERT INTO provider_counts AS c (domain_id, day, provider, kind, count, reply, email_id)
           SELECT domain_id, day, provider, kind, count, reply, email_id
           FROM json_to_recordset($1::json) AS d (
             domain_id uuid, day date, provider text, kind text, count bigint, reply text, email_id uuid)
           ORDER BY 1, 2, 3, 4
           ON CONFLICT (domain_id, day, provider, kind) DO UPDATE SET count = c.count + excluded.count,
             reply = coalesce(excluded.reply, c.reply), email_id = coalesce(excluded.email_id, c.email_id)`,
    values: [
      storableJson(days.map(({ domainId, emailId, ...rest }) => ({ domain_id: domainId, email_id: emailId, ...rest }))),
    ],
  };
}

const columns: Readonly<Record<(typeof hourlyKinds)[number], string>> = {
  delivered: 'delivered',
  deferred: 'deferred',
  bounced: 'bounced',
  badAddresses: 'bad_addresses',
  refusedAsSpam: 'refused_as_spam',
  complained: 'complained',
};

export function addHoursStatement(hours: AddedCounts['hours']): Statement {
  const names = hourlyKinds.map((kind) => columns[kind]);
  return {
    name: 'add-provider-hours',
    text: `INSERT INTO provider_hours AS c (domain_id, hour, provider, team_id, ${names.join(', ')})
           SELECT domain_id, hour, provider, team_id, ${names.join(', ')}
           FROM json_to_recordset($1::json) AS d (
             domain_id uuid, hour timestamptz, provider text, team_id uuid, ${names.map((name) => `${name} bigint`).join(', ')})
           ORDER BY 1, 2, 3
           ON CONFLICT (domain_id, hour, provider) DO UPDATE SET
             ${names.map((name) => `${name} = c.${name} + excluded.${name}`).join(', ')}`,
    values: [
      JSON.stringify(
        hours.map(({ domainId, teamId, hour, provider, ...counts }) => ({
          domain_id: domainId,
          team_id: teamId,
          hour,
          provider,
          ...Object.fromEntries(hourlyKinds.map((kind) => [columns[kind], counts[kind]])),
        })),
      ),
    ],
  };
}

/** By provider and kind over all days, with the last reply of each. */
export function kindsStatement(domainId: string, from: string, to: string): Statement {
  return {
    name: 'provider-kinds-of-domain',
    text: `SELECT provider, kind, sum(count)::float8 AS count,
                  (array_agg(reply ORDER BY day DESC) FILTER (WHERE reply IS NOT NULL))[1] AS reply,
                  (array_agg(email_id ORDER BY day DESC) FILTER (WHERE reply IS NOT NULL))[1] AS "emailId"
           FROM provider_counts WHERE domain_id = $1 AND day >= $2 AND day < $3 GROUP BY provider, kind`,
    values: [domainId, from, to],
  };
}

/** By day and provider, without what only the sums over all days are shown of. */
export function daysStatement(domainId: string, from: string, to: string): Statement {
  const sum = (condition: string): string => `coalesce(sum(count) FILTER (WHERE ${condition}), 0)::float8`;
  const kinds = ['delivered', 'complained', 'opened', 'unsubscribed'];
  return {
    name: 'provider-days-of-domain',
    text: `SELECT day::text AS day, provider, ${sum(`kind LIKE 'deferred/%'`)} AS deferred, ${sum(`kind LIKE 'bounced/%'`)} AS bounced,
                  ${kinds.map((kind) => `${sum(`kind = '${kind}'`)} AS ${kind}`).join(', ')}
           FROM provider_counts
           WHERE domain_id = $1 AND day >= $2 AND day < $3 AND kind NOT LIKE 'time/%' AND kind NOT LIKE 'tls/%'
           GROUP BY day, provider ORDER BY day, provider`,
    values: [domainId, from, to],
  };
}
