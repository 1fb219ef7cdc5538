import { claimed, Statement } from '#postgres/database';
import { leaseMs, maxOrdersPerHour } from '../../domain/host-certificate.js';

const hour = 3_600_000;

/**
 * The hosts of the service itself come first, then renewals. Teams take turns: the one with the fewest orders of this hour is next,
 * so that a thousand hosts of one do not stand before another's. Once customers have used up the orders of the hour, only hosts of
 * the service and orders that were begun go on.
 */
const next = `
  SELECT host FROM (
    SELECT DISTINCT ON (team_id) host, team_id, domain_id, not_after, due_at FROM certificates
    WHERE due_at <= $1 AND (domain_id IS NULL OR order_url IS NOT NULL
      OR (SELECT count(*) FROM certificate_orders WHERE ordered_at > $4 AND team_id IS NOT NULL) < ${maxOrdersPerHour})
    ORDER BY team_id, due_at
  ) first
  ORDER BY domain_id IS NOT NULL, not_after IS NULL,
    (SELECT count(*) FROM certificate_orders o WHERE o.team_id = first.team_id AND o.ordered_at > $4), due_at
  LIMIT 1`;

export function claimStatement(now: Date, lease: string): Statement {
  return {
    name: 'claim-certificate',
    text: `UPDATE certificates SET due_at = $2, lease = $3
           WHERE ${claimed('host', `FROM certificates WHERE due_at <= $1 AND host = ANY (ARRAY(${next}))`)}
           RETURNING host, lease, domain_id AS "domainId", team_id AS "teamId", tries, order_url AS "orderUrl",
             is_revoked AS "isRevoked", sealed_order_key AS "sealedOrderKey", sealed_certificate AS "sealedCertificate", renew_at AS "renewAt"`,
    values: [now, new Date(now.getTime() + leaseMs), lease, new Date(now.getTime() - hour)],
  };
}
