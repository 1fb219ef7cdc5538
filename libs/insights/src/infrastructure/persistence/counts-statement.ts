import type { LastEvent } from '#events';
import { claimed, Statement } from '#postgres/database';
import { storedCounts, StoredCount } from '../../domain/metric.js';
import { Granularity, MetricsRequest } from '../../domain/metrics-request.js';

const units: Readonly<Record<Granularity, string>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
};

/**
 * Reads totals and rows with one scan. If emails are named, it counts their events, which are found by key. Otherwise it
 * sums the counters, which a trigger updates when events are written.
 */
export function countsStatement(teamId: string, request: MetricsRequest, limit: number): Statement {
  const { dimensions, granularity, timeZone, start, end, domainIds } = request;
  const values: unknown[] = [teamId, start, end];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const ofDomains = domainIds === undefined ? '' : `AND domain_id = ANY (${parameter(domainIds)}::uuid[])`;
  const source = sourceOf(request, ofDomains, parameter);
  const keys = dimensions.flatMap((dimension) => {
    switch (dimension) {
      case 'period':
        return [[periodOf(granularity, parameter(units[granularity]), parameter(timeZone)), '"period"']];
      case 'domain':
        return [[`nullif(domain_id, '${noDomain}')`, '"domainId"']];
      case 'email':
        return [['email_id', '"emailId"']];
      case 'broadcast':
        return [['broadcast_id', '"broadcastId"']];
    }
  });
  const names = keys.map(([, name]) => name);
  const absent = ['"period"', '"domainId"', '"emailId"', '"broadcastId"'].filter((name) => !names.includes(name));
  return {
    text: `
      WITH source AS (${source}
      ), keyed AS (
        SELECT ${[...keys.map(([expression, name]) => `${expression} AS ${name}`), ...storedCounts].join(', ')} FROM source
      ), summed AS (
        SELECT ${names.length === 0 ? 'true' : `GROUPING(${names.join(', ')}) > 0`} AS "isTotal",
               ${[...names, ...absent.map((name) => `NULL AS ${name}`)].join(', ')},
               ${storedCounts.map((count) => `sum(${count})::float8 AS ${count}`).join(', ')}
        FROM keyed GROUP BY GROUPING SETS (()${names.length === 0 ? '' : `, (${names.join(', ')})`})
      )
      SELECT s.*, d.name AS "domainName", b.name AS "broadcastName"
      FROM summed s LEFT JOIN published_domains d ON d.id = s."domainId"::uuid
      LEFT JOIN published_broadcasts b ON b.id = s."broadcastId"::uuid
      ORDER BY "isTotal" DESC, "period", d.name, "domainId", "emailId", "broadcastId" DESC LIMIT ${limit + 2}`,
    values,
  };
}

/** Merges the shards of a quarter of an hour into one row, after its last write. */
export function mergeShardsStatement(before: Date): Statement {
  const columns = storedCounts.join(', ');
  return {
    text: `
      WITH apart AS (
        DELETE FROM email_counters
        WHERE ${claimed('ctid', 'FROM email_counters WHERE shard > 0 AND quarter < $1 LIMIT 5000')}
        RETURNING *
      )
      INSERT INTO email_counters AS c (team_id, quarter, domain_id, shard, ${columns})
      SELECT team_id, quarter, domain_id, 0, ${storedCounts.map((count) => `sum(${count})`).join(', ')}
      FROM apart GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (team_id, quarter, domain_id, shard) DO UPDATE
      SET ${storedCounts.map((count) => `${count} = c.${count} + EXCLUDED.${count}`).join(', ')}`,
    values: [before],
  };
}

/** Old counters were merged long ago. The condition on `shard` lets the statement use the index that begins with it. */
export function deleteStatement(before: Date): Statement {
  return {
    text: `DELETE FROM email_counters WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM email_counters WHERE shard = 0 AND quarter < $1 LIMIT 5000))`,
    values: [before],
  };
}

/** Under which those are counted who unsubscribed without a link. */
const noDomain = '00000000-0000-0000-0000-000000000000';

/** Both sources cut the range at quarters of an hour, as the counters do. */
const quarterOf = `date_bin('15 minutes', f.created_at, 'epoch'::timestamptz)`;
const fromQuarter = `date_bin('15 minutes', $2::timestamptz, 'epoch'::timestamptz)`;

type Parameter = (value: unknown) => string;

function sourceOf(
  { dimensions, emailIds, broadcastIds, onlyBroadcasts }: MetricsRequest,
  ofDomains: string,
  parameter: Parameter,
): string {
  if (emailIds !== undefined) return events(ofDomains, emailIds, parameter);
  const byBroadcast = onlyBroadcasts === true || broadcastIds !== undefined || dimensions.includes('broadcast');
  if (!byBroadcast) return counters(ofDomains);
  return broadcasts(ofDomains, broadcastIds, parameter);
}

function counters(ofDomains: string): string {
  return `
        SELECT quarter, domain_id, NULL::uuid AS email_id, NULL::uuid AS broadcast_id, ${storedCounts.join(', ')}
        FROM email_counters WHERE team_id = $1 AND quarter >= ${fromQuarter} AND quarter < $3 ${ofDomains}`;
}

function broadcasts(ofDomains: string, broadcastIds: readonly string[] | undefined, parameter: Parameter): string {
  const ofBroadcasts = broadcastIds === undefined ? '' : `AND broadcast_id = ANY (${parameter(broadcastIds)}::uuid[])`;
  const counts = storedCounts.map((count) => (count === 'received' ? '0::bigint AS received' : count));
  return `
        SELECT quarter, domain_id, NULL::uuid AS email_id, broadcast_id, ${counts.join(', ')}
        FROM published_broadcast_counts
        WHERE team_id = $1 AND quarter >= ${fromQuarter} AND quarter < $3 ${ofDomains} ${ofBroadcasts}`;
}

function events(ofDomains: string, emailIds: readonly string[], parameter: Parameter): string {
  const sorted = [...emailIds].sort();
  const [first, last] = [`${parameter(sorted[0])}::uuid`, `${parameter(sorted[sorted.length - 1])}::uuid`];
  const ids = parameter(sorted);
  const within = `BETWEEN ${first} AND ${last}`;
  return `
        WITH chosen AS MATERIALIZED (
          SELECT f.*, e.domain_id FROM published_email_events f JOIN published_emails e ON e.id = f.email_id
          WHERE e.team_id = $1 AND f.email_id = ANY (${ids}::uuid[]) AND f.email_id ${within} AND e.id ${within}
            AND f.created_at >= ${fromQuarter} AND ${quarterOf} < $3 ${ofDomains}
        ), engaged AS MATERIALIZED (
          SELECT array_agg(email_id) AS email_ids, array_agg(seq) AS seqs, array_agg(recipient_no) AS recipient_nos,
                 array_agg(type) AS types, array_agg(data) AS datas
          FROM chosen WHERE type IN ('email.opened', 'email.clicked')
        ), uniques AS MATERIALIZED (
          SELECT u.email_id, u.seq FROM engaged g, first_human_engagements(
            g.email_ids, g.seqs, g.recipient_nos, g.types, g.datas, ${first}, ${last}) u
        )
        SELECT ${quarterOf} AS quarter, f.domain_id, f.email_id, NULL::uuid AS broadcast_id,
               ${storedCounts.map((count) => `(${conditions[count]})::int AS ${count}`).join(', ')}
        FROM chosen f LEFT JOIN uniques u ON u.email_id = f.email_id AND u.seq = f.seq
        UNION ALL
        SELECT ${quarterOf}, e.domain_id, e.id, NULL::uuid, ${storedCounts.map((count) => (count === 'unsubscribed' ? 1 : 0)).join(', ')}
        FROM published_unsubscribes f JOIN published_emails e ON e.id = f.email_id AND e.team_id = f.team_id
        WHERE f.team_id = $1 AND f.email_id = ANY (${ids}::uuid[]) AND e.id ${within}
          AND f.created_at >= ${fromQuarter} AND ${quarterOf} < $3 ${ofDomains}`;
}

function periodOf(granularity: Granularity, unit: string, zone: string): string {
  const beginning = `date_trunc(${unit}, quarter, ${zone})`;
  return granularity === 'hourly' ? beginning : `to_char(${beginning} AT TIME ZONE ${zone}, 'YYYY-MM-DD')`;
}

/** For one event, the same conditions by which the trigger on `email_events` counts. */
const conditions: Readonly<Record<StoredCount, string>> = {
  sent: is('sent'),
  delivered: is('delivered'),
  delivery_delayed: is('delivery_delayed'),
  bounced: is('bounced'),
  bounced_transient: ofBounce('Transient'),
  bounced_permanent: ofBounce('Permanent'),
  complained: is('complained'),
  suppressed: is('suppressed'),
  failed: is('failed'),
  opened: is('opened'),
  clicked: is('clicked'),
  unique_opened: `${is('opened')} AND u.seq IS NOT NULL`,
  unique_clicked: `${is('clicked')} AND u.seq IS NOT NULL`,
  // Received emails have no events among those of emails that were sent.
  received: 'false',
  // Who unsubscribed is in a table of its own.
  unsubscribed: 'false',
};

function is(word: Exclude<LastEvent, 'queued'>): string {
  return `f.type = 'email.${word}'`;
}

function ofBounce(type: string): string {
  return `${is('bounced')} AND coalesce(f.data -> 'bounce' ->> 'type', '') = '${type}'`;
}
