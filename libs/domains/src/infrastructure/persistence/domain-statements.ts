import { Statement, storableJson } from '#platform/database';
import { Domain } from '../../domain/domain.js';

export function insertDomainStatement(domain: Domain): Statement {
  return {
    text: `INSERT INTO domains (id, team_id, name, status, region, custom_return_path, tls, open_tracking,
             click_tracking, tracking_subdomain, sending, receiving, dkim_publication, dkim_generation, sandbox, checks,
             created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
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
    ],
  };
}

export function updateDomainStatement(domain: Domain): Statement {
  return {
    text: `UPDATE domains SET status = $3, tls = $4, open_tracking = $5, click_tracking = $6, tracking_subdomain = $7,
             sending = $8, receiving = $9, dkim_generation = $10, checks = $11, dns_provider = $12, checked_at = $13,
             next_check_at = $14, version = version + 1
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
    ],
  };
}

export function takeDueStatement(now: Date, leaseUntil: Date, limit: number): Statement {
  return {
    name: 'take-due-domain-checks',
    text: `UPDATE domains SET next_check_at = $2 WHERE id IN (
             SELECT id FROM domains WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $3
             FOR UPDATE SKIP LOCKED)
           RETURNING id`,
    values: [now, leaseUntil, limit],
  };
}
