import { timestamp, timestampOrNull } from '#http/server';
import { DiagnosedRecord } from '../../application/domain-records.js';
import { PublishedKey } from '../../application/read-domains.query.js';
import { claimHost, claimValue, DomainClaim } from '../../domain/domain-claim.js';
import { capabilitiesOf } from '../../domain/domain-event.js';
import { dkimRecord, Domain, sendingRegion } from '../../domain/domain.js';
import { RecordView, shownRecords } from '../../domain/record-view.js';
import {
  ClaimResponse,
  DiagnosisResponse,
  DkimKeyResponse,
  DomainResponse,
  DomainSummaryResponse,
} from './domain.response.js';

/** One domain in a list (docs/wire-contract.md section 9.3). */
export function domainSummary(domain: Domain): DomainSummaryResponse {
  return {
    id: domain.id,
    name: domain.name,
    status: domain.status === 'temporary_failure' ? 'partially_failed' : domain.status,
    state: domain.status,
    created_at: timestamp(domain.createdAt),
    region: domain.region,
    open_tracking: domain.openTracking,
    click_tracking: domain.clickTracking,
    tracking_subdomain: domain.trackingSubdomain,
    capabilities: capabilitiesOf(domain),
  };
}

export function domainResponse(domain: Domain, records: readonly RecordView[]): DomainResponse {
  return { object: 'domain', ...domainSummary(domain), ...shownRecords(records) };
}

/** Addition of Postrider: what the last check of the DNS found, and what to do about it. */
export function diagnosisResponse(domain: Domain, records: readonly DiagnosedRecord[]): DiagnosisResponse {
  return {
    object: 'domain_diagnosis',
    id: domain.id,
    name: domain.name,
    status: domain.status,
    tls: domain.tls,
    region: domain.region,
    failover: domain.failover,
    sends_from: sendingRegion(domain),
    dns_provider: domain.dnsProvider,
    checked_at: timestampOrNull(domain.checkedAt),
    next_check_at: timestampOrNull(domain.nextCheckAt),
    records: records.map(({ view, host, required, check, advice }) => ({
      ...view,
      host,
      required,
      mistake: check?.mistake ?? null,
      found: [...(check?.found ?? [])],
      waiting_since: check?.since ?? null,
      advice: advice ?? null,
    })),
  };
}

/** Addition of Postrider: the keys of a domain with their states. */
export function keyResponse({ key, host, serviceHost, removableAt }: PublishedKey): DkimKeyResponse {
  return {
    id: key.id,
    selector: key.selector,
    algorithm: key.algorithm,
    state: key.state,
    host,
    value: dkimRecord(key),
    delegated_host: serviceHost ?? null,
    created_at: timestamp(key.createdAt),
    retired_at: timestampOrNull(key.retiredAt),
    removable_at: timestampOrNull(removableAt),
  };
}

/** A claim (docs/wire-contract.md section 9.4). */
export function claimResponse(claim: DomainClaim): ClaimResponse {
  return {
    object: 'domain_claim',
    id: claim.id,
    name: claim.name,
    status: claim.status,
    domain_id: claim.domainId,
    region: claim.settings.region ?? null,
    record: { type: 'TXT', name: claimHost(claim.name), value: claimValue(claim), ttl: 'Auto' },
    blocked_reason: claim.blockedReason,
    failure_reason: claim.failureReason,
    created_at: timestamp(claim.createdAt),
    expires_at: timestamp(claim.expiresAt),
  };
}
