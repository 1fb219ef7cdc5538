import { Row, Statement, storableJson } from '#postgres/database';
import { maxMovedAtOnce } from '../../application/ports/domain-repository.port.js';
import { DkimKeyInfo, Domain, NewSigningKey } from '../../domain/domain.js';

export const domainColumns = `id, team_id AS "teamId", name, status, region, custom_return_path AS "customReturnPath",
  tls, open_tracking AS "openTracking", click_tracking AS "clickTracking", tracking_subdomain AS "trackingSubdomain",
  sending, receiving, failover, stand_in AS "standIn", moved_at AS "movedAt", dkim_publication AS "dkimPublication", dkim_generation AS "dkimGeneration", sandbox, checks,
  dns_provider AS "dnsProvider", brand_logo AS "brandLogo", checked_at AS "checkedAt", next_check_at AS "nextCheckAt", version,
  created_at AS "createdAt"`;

export function insertDomainStatement(domain: Domain): Statement {
  return {
    text: `INSERT INTO domains (id, team_id, name, status, region, custom_return_path, tls, open_tracking,
             click_tracking, tracking_subdomain, sending, receiving, dkim_publication, dkim_generation, sandbox, checks,
             created_at, failover)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
           ON CONFLICT (name) DO NOTHING`,
    values: [
      domain.id,
      domain.teamId,
      domain.name,
      domain.status,
      domain.region,
      domain.customReturnPath,
      domain.tls,
      domain.openTracking,
      domain.clickTracking,
      domain.trackingSubdomain,
      domain.sending,
      domain.receiving,
      domain.dkimPublication,
      domain.dkimGeneration,
      domain.sandbox,
      storableJson(domain.checks),
      domain.createdAt,
      domain.failover,
    ],
  };
}

export function updateDomainStatement(domain: Domain): Statement {
  return {
    text: `UPDATE domains SET status = $3, tls = $4, open_tracking = $5, click_tracking = $6, tracking_subdomain = $7,
             sending = $8, receiving = $9, dkim_generation = $10, checks = $11, dns_provider = $12, checked_at = $13,
             next_check_at = $14, region = $15, failover = $16, stand_in = $17, moved_at = $18, brand_logo = $19, version = version + 1
           WHERE id = $1 AND version = $2`,
    values: [
      domain.id,
      domain.version,
      domain.status,
      domain.tls,
      domain.openTracking,
      domain.clickTracking,
      domain.trackingSubdomain,
      domain.sending,
      domain.receiving,
      domain.dkimGeneration,
      storableJson(domain.checks),
      domain.dnsProvider,
      domain.checkedAt,
      domain.nextCheckAt,
      domain.region,
      domain.failover,
      domain.standIn,
      domain.movedAt,
      domain.brandLogo === null ? null : storableJson(domain.brandLogo),
    ],
  };
}

export function standInStatement(region: string, standIn: string | null, now: Date): Statement {
  return {
    text: `UPDATE domains SET stand_in = $2, moved_at = $3, version = version + 1 WHERE id = ANY (ARRAY(
             SELECT id FROM domains WHERE region = $1 AND failover AND stand_in IS DISTINCT FROM $2
             LIMIT ${maxMovedAtOnce} FOR UPDATE SKIP LOCKED))`,
    values: [region, standIn, now],
  };
}

/** Due domains among which teams take turns. */
const dueInTurns = 10_000;

/**
 * Of each team first the domain that has waited longest, so that the thousand domains of one team do not stand before
 * another's.
 */
export function takeDueStatement(now: Date, leaseUntil: Date, limit: number): Statement {
  return {
    name: 'take-due-domain-checks',
    text: `UPDATE domains SET next_check_at = $2 WHERE id IN (
             SELECT id FROM domains WHERE next_check_at <= $1 AND id = ANY (ARRAY(
               SELECT id FROM (
                 SELECT id, next_check_at, row_number() OVER (PARTITION BY team_id ORDER BY next_check_at) AS turn
                 FROM (SELECT id, team_id, next_check_at FROM domains WHERE next_check_at <= $1
                       ORDER BY next_check_at LIMIT ${dueInTurns}) due
               ) ranked ORDER BY turn, next_check_at LIMIT $3
             )) FOR UPDATE SKIP LOCKED)
           RETURNING id`,
    values: [now, leaseUntil, limit],
  };
}

/** The columns of a `DkimKeyInfo`. */
export const keyColumns = `id, domain_id AS "domainId", selector, algorithm, public_key AS "publicKey",
  CASE WHEN signing THEN 'signing' WHEN retired_at IS NULL THEN 'published' ELSE 'retired' END AS state,
  retired_at AS "retiredAt", created_at AS "createdAt"`;

/** A key with its sealed private half, as `keyColumns` and `sealed_private_key` select it. */
export type SealedKeyRow = Row<DkimKeyInfo & { readonly sealedPrivateKey: Buffer }>;

export function insertKeyStatement(key: NewSigningKey, sealedPrivateKey: Buffer): Statement {
  return {
    text: `INSERT INTO dkim_keys
             (id, domain_id, selector, algorithm, public_key, sealed_private_key, signing, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      key.id,
      key.domainId,
      key.selector,
      key.algorithm,
      key.publicKey,
      sealedPrivateKey,
      key.signing,
      key.createdAt,
    ],
  };
}

export function keyStateStatement(key: DkimKeyInfo): Statement {
  return {
    text: 'UPDATE dkim_keys SET signing = $2, retired_at = $3 WHERE id = $1',
    values: [key.id, key.state === 'signing', key.retiredAt],
  };
}
