import { claimed, Row, Statement, storableJson } from '#postgres/database';
import { maxMovedAtOnce } from '../../application/ports/domain-repository.port.js';
import { DkimKeyInfo, Domain, NewSigningKey } from '../../domain/domain.js';

export const domainColumns = `id, team_id AS "teamId", name, status, region, custom_return_path AS "customReturnPath",
  tls, open_tracking AS "openTracking", click_tracking AS "clickTracking", tracking_subdomain AS "trackingSubdomain",
  sending, receiving, failover, stand_in AS "standIn", moved_at AS "movedAt", dkim_publication AS "dkimPublication", dkim_generation AS "dkimGeneration", sandbox, checks,
  dns_provider AS "dnsProvider", brand_logo AS "brandLogo", checked_at AS "checkedAt", next_check_at AS "nextCheckAt", version,
  created_at AS "createdAt"`;

/** Columns that are written once. */
function fixedValues(domain: Domain): Readonly<Record<string, unknown>> {
  return {
    id: domain.id,
    team_id: domain.teamId,
    name: domain.name,
    custom_return_path: domain.customReturnPath,
    dkim_publication: domain.dkimPublication,
    sandbox: domain.sandbox,
    created_at: domain.createdAt,
  };
}

/** Columns that every change of the domain writes. */
function changingValues(domain: Domain): Readonly<Record<string, unknown>> {
  return {
    status: domain.status,
    region: domain.region,
    tls: domain.tls,
    open_tracking: domain.openTracking,
    click_tracking: domain.clickTracking,
    tracking_subdomain: domain.trackingSubdomain,
    sending: domain.sending,
    receiving: domain.receiving,
    failover: domain.failover,
    stand_in: domain.standIn,
    moved_at: domain.movedAt,
    dkim_generation: domain.dkimGeneration,
    checks: storableJson(domain.checks),
    dns_provider: domain.dnsProvider,
    brand_logo: domain.brandLogo === null ? null : storableJson(domain.brandLogo),
    checked_at: domain.checkedAt,
    next_check_at: domain.nextCheckAt,
  };
}

export function insertDomainStatement(domain: Domain): Statement {
  const values = { ...fixedValues(domain), ...changingValues(domain) };
  const columns = Object.keys(values);
  return {
    text: `INSERT INTO domains (${columns.join(', ')})
           VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})
           ON CONFLICT (name) DO NOTHING`,
    values: Object.values(values),
  };
}

export function updateDomainStatement(domain: Domain): Statement {
  const values = changingValues(domain);
  const changes = Object.keys(values).map((column, index) => `${column} = $${index + 3}`);
  return {
    text: `UPDATE domains SET ${changes.join(', ')}, version = version + 1 WHERE id = $1 AND version = $2`,
    values: [domain.id, domain.version, ...Object.values(values)],
  };
}

export function standInStatement(region: string, standIn: string | null, now: Date): Statement {
  return {
    text: `UPDATE domains SET stand_in = $2, moved_at = $3, version = version + 1 WHERE ${claimed(
      'id',
      `FROM domains WHERE region = $1 AND failover AND stand_in IS DISTINCT FROM $2 LIMIT ${maxMovedAtOnce}`,
    )}`,
    values: [region, standIn, now],
  };
}

/** Due rows among which teams take turns. */
const dueInTurns = 10_000;

export interface DueChecks {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  /** Ids of the rows that are being checked. */
  readonly held?: readonly string[];
  /** Rows of one team that are checked at once. */
  readonly maxOfTeam?: number;
}

/**
 * Half of the places of a worker: a hostile zone answers each question just in time, and one check of it takes minutes.
 */
export const maxChecksOfTeam = 4;

/**
 * Of each team first the row that has waited longest, so that the thousand domains of one team do not stand before
 * another's. What is held counts: a team whose name servers are slow would else get each place that becomes free, since
 * its rows have waited longest.
 */
function takeDue(update: string, from: string, { now, leaseUntil, limit, held = [], maxOfTeam }: DueChecks): Statement {
  const inTurns = `
    SELECT id FROM (
      SELECT id, next_check_at, coalesce(held, 0) + row_number() OVER (PARTITION BY team_id ORDER BY next_check_at) AS turn
      FROM (SELECT id, team_id, next_check_at ${from} WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT ${dueInTurns}) due
      LEFT JOIN (SELECT team_id, count(*) AS held ${from} WHERE id = ANY ($4::uuid[]) GROUP BY team_id) busy USING (team_id)
    ) ranked WHERE $5::int IS NULL OR turn <= $5 ORDER BY turn, next_check_at LIMIT $3`;
  return {
    name: `take-due: ${update}`,
    text: `${update} SET next_check_at = $2
           WHERE ${claimed('id', `${from} WHERE next_check_at <= $1 AND id = ANY (ARRAY(${inTurns}))`)}
           RETURNING id`,
    values: [now, leaseUntil, limit, held, maxOfTeam ?? null],
  };
}

export const takeDueDomains = (checks: DueChecks): Statement => takeDue('UPDATE domains', 'FROM domains', checks);
export const takeDueClaims = (checks: DueChecks): Statement =>
  takeDue('UPDATE domain_claims', 'FROM domain_claims', checks);

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
