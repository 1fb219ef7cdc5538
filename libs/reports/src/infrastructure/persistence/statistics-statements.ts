import { PageRequest } from '#kernel';
import { Statement } from '#postgres/database';
import { OwnMarks, ReportPeriod } from '../../application/ports/report-statistics.port.js';

/** Names listed for one source. */
const maxNames = 5;

const isPass = '(dkim_aligned OR spf_aligned)';

/** Adds up the rows of the period by source, and takes a page of the sums. */
export function sourcesStatement({ domainId, from, to }: ReportPeriod, marks: OwnMarks, page: PageRequest): Statement {
  const sums = `
    SELECT coalesce(host(source), 'others') AS source, sum(messages) AS messages,
           sum(messages * ${isPass}::int) AS aligned,
           sum(messages * dkim_aligned::int) AS "alignedByDkim",
           sum(messages * spf_aligned::int) AS "alignedBySpf",
           sum(messages * (coalesce(dkim_result = 'pass' AND dkim_domain = $4 AND dkim_selector = ANY($5), false))::int)
             AS "signedByUs",
           sum(messages * (coalesce(spf_result = 'pass' AND spf_domain = $6, false))::int) AS "sentByUs",
           sum(messages * (NOT ${isPass}
             AND (coalesce(dkim_result = 'pass', false) OR coalesce(spf_result = 'pass', false)))::int) AS "provedOther",
           sum(messages * (coalesce(override IN ('forwarded', 'mailing_list', 'trusted_forwarder'), false))::int)
             AS forwarded,
           sum(messages * (disposition = 'quarantine')::int) AS quarantined,
           sum(messages * (disposition = 'reject')::int) AS rejected,
           min(day)::text AS "firstDay", max(day)::text AS "lastDay", count(DISTINCT day) AS days,
           count(DISTINCT reporter) AS reporters,
           (array_agg(DISTINCT header_from))[1:${maxNames}] AS "headerFrom",
           coalesce((array_agg(DISTINCT CASE WHEN dkim_result = 'pass' THEN dkim_domain
                                             WHEN spf_result = 'pass' THEN spf_domain END)
             FILTER (WHERE dkim_result = 'pass' AND dkim_domain IS NOT NULL
                        OR spf_result = 'pass' AND dkim_result IS DISTINCT FROM 'pass' AND spf_domain IS NOT NULL)
           )[1:${maxNames}], '{}') AS proven
    FROM dmarc_counts WHERE domain_id = $1 AND day >= $2 AND day < $3
    GROUP BY source`;
  const values = [domainId, from, to, marks.domain, marks.selectors, marks.returnPathHost];
  return ranked(sums, 'messages', 'source', values, page);
}

export function tlsResultsStatement({ domainId, from, to }: ReportPeriod, page: PageRequest): Statement {
  const sums = `
    SELECT md5(concat_ws('|', policy_type, policy_domain, result, coalesce(mx, '-'))) AS id,
           policy_type AS "policyType", policy_domain AS "policyDomain", result, mx, sum(sessions) AS sessions,
           min(day)::text AS "firstDay", max(day)::text AS "lastDay", count(DISTINCT reporter) AS reporters,
           coalesce((array_agg(DISTINCT reason) FILTER (WHERE reason IS NOT NULL))[1:${maxNames}], '{}') AS reasons
    FROM tls_counts WHERE domain_id = $1 AND day >= $2 AND day < $3
    GROUP BY policy_type, policy_domain, result, mx`;
  return ranked(sums, 'sessions', 'id', [domainId, from, to], page);
}

/** A page of sums, the largest first. The cursor is the key of an item; an item that is gone has no page behind it. */
function ranked(sums: string, by: string, key: string, values: readonly unknown[], page: PageRequest): Statement {
  const cursor = page.after ?? page.before;
  const [operator, direction] = page.before === undefined ? ['<', 'DESC'] : ['>', 'ASC'];
  const behind =
    cursor === undefined
      ? ''
      : `WHERE (${by}, ${key}) ${operator} (SELECT ${by}, ${key} FROM sums WHERE ${key} = $${values.length + 1})`;
  return {
    text: `WITH sums AS (${sums})
           SELECT * FROM sums ${behind} ORDER BY ${by} ${direction}, ${key} ${direction} LIMIT ${page.limit + 1}`,
    values: cursor === undefined ? [...values] : [...values, cursor],
  };
}
