import { firstIdAt } from '#kernel';
import { Statement } from '#postgres/database';
import { GuardedRate } from '../../domain/guard-limits.js';
import { GuardedPair } from '../../domain/guard-state.js';

/** Newest emails of the team, and recipients of those of the domain, that are looked at: about 100 ms. */
const maxEmails = 20_000;
const maxRecipients = 5_000;

/** What counts as bad for a rate, of a recipient `r` with its last attempt `a`. */
const isBad: Readonly<Record<GuardedRate, string>> = {
  complaint_rate: `r.status = 'complained'`,
  bad_address_rate: `r.status = 'bounced' AND a.category = 'bad-address'`,
  spam_refusal_rate: `r.status IN ('bounced', 'delayed') AND a.category IN ('content', 'reputation')`,
};

/**
 * Groups the newest messages of a domain by what they may have in common: a broadcast and its segment, a template, an import that ran
 * when their contact was created. A row for each receiver and combination, of which the caller keeps those of the provider.
 *
 * `usesMx`: attempts name the mail hosts of recipients.
 */
export function suspectsStatement(
  { teamId, domainId }: GuardedPair,
  rate: GuardedRate,
  since: Date,
  usesMx: boolean,
): Statement {
  return {
    name: `suspects-of-${rate}`,
    text: `
      WITH newest AS MATERIALIZED (
        SELECT id, domain_id, template_id FROM published_emails WHERE team_id = $1 AND id >= $3 ORDER BY id DESC LIMIT ${maxEmails}
      ), looked_at AS MATERIALIZED (
        SELECT e.id, e.template_id, lower(r.address) AS address, (${isBad[rate]}) AS is_bad,
               ${usesMx ? `coalesce(lower(a.host), '@' || lower(split_part(r.address, '@', -1)))` : `'@' || lower(split_part(r.address, '@', -1))`} AS receiver
        FROM newest e
        CROSS JOIN LATERAL (
          SELECT no, status, address FROM published_recipients WHERE email_id = e.id AND email_id >= $3
        ) r
        LEFT JOIN LATERAL (
          SELECT host, category FROM published_delivery_attempts t
          WHERE t.email_id = e.id AND t.recipient_no = r.no AND t.email_id >= $3 ORDER BY t.attempt DESC LIMIT 1
        ) a ON true
        WHERE e.domain_id = $2 AND r.status IN ('delivered', 'bounced', 'complained', 'delayed')
        LIMIT ${maxRecipients}
      ), imports AS MATERIALIZED (
        SELECT id, created_at, coalesce(completed_at, 'infinity') AS completed_at FROM published_contact_imports
        WHERE team_id = $1 AND created > 0 ORDER BY id DESC LIMIT 50
      )
      SELECT l.receiver, b.broadcast_id AS "broadcastId", l.template_id AS "templateId", i.id AS "importId",
             count(*)::int AS all, count(*) FILTER (WHERE l.is_bad)::int AS bad
      FROM looked_at l
      LEFT JOIN LATERAL (SELECT broadcast_id FROM published_broadcast_emails WHERE email_id = l.id LIMIT 1) b ON true
      LEFT JOIN LATERAL (
        SELECT c.created_at FROM published_contacts c WHERE c.team_id = $1 AND c.email = l.address LIMIT 1
      ) c ON true
      LEFT JOIN LATERAL (
        SELECT id FROM imports WHERE c.created_at BETWEEN imports.created_at AND imports.completed_at LIMIT 1
      ) i ON true
      GROUP BY 1, 2, 3, 4`,
    values: [teamId, domainId, firstIdAt(since)],
  };
}

/** Names of what may be a cause. Segments are those of the broadcasts. */
export function namesStatement(teamId: string, ids: SuspectIds): Statement {
  return {
    name: 'names-of-suspects',
    text: `
      SELECT 'broadcast' AS kind, b.id, b.name, b.segment_id AS "segmentId", s.name AS "segmentName", NULL::timestamptz AS at
      FROM published_broadcasts b LEFT JOIN published_segments s ON s.id = b.segment_id
      WHERE b.team_id = $1 AND b.id = ANY ($2::uuid[])
      UNION ALL
      SELECT 'template', id, name, NULL, NULL, NULL FROM published_templates WHERE team_id = $1 AND id = ANY ($3::uuid[])
      UNION ALL
      SELECT 'import', id, NULL, NULL, NULL, created_at FROM published_contact_imports
      WHERE team_id = $1 AND id = ANY ($4::uuid[])`,
    values: [teamId, ids.broadcasts, ids.templates, ids.imports],
  };
}

export interface SuspectIds {
  readonly broadcasts: readonly string[];
  readonly templates: readonly string[];
  readonly imports: readonly string[];
}
