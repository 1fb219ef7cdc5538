import { timestampOrNull, toResponse } from '#http/server';
import { TrackingCertificate } from '../../application/ports/service-names.port.js';
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
export const domainSummary = (domain: Domain): DomainSummaryResponse =>
  toResponse(DomainSummaryResponse, domain, {
    status: domain.status === 'temporary_failure' ? 'partially_failed' : domain.status,
    state: domain.status,
    capabilities: capabilitiesOf(domain),
  });

export function domainResponse(
  domain: Domain,
  records: readonly RecordView[],
  certificate?: TrackingCertificate,
): DomainResponse {
  const whole: DomainResponse = { object: 'domain', ...domainSummary(domain), ...shownRecords(records) };
  if (certificate === undefined) return whole;
  const { host, state, reason, notAfter, nextTryAt } = certificate;
  const instant = (time: Date | null): string | null => time?.toISOString() ?? null;
  const shown = { host, state, reason, not_after: instant(notAfter), next_try_at: instant(nextTryAt) };
  return { ...whole, tracking_certificate: shown };
}

/** Addition of Postrider: what the last check of the DNS found, and what to do about it. */
export const diagnosisResponse = (domain: Domain, records: readonly DiagnosedRecord[]): DiagnosisResponse =>
  toResponse(DiagnosisResponse, domain, {
    sends_from: sendingRegion(domain),
    records: records.map(({ view, host, required, check, advice }) => ({
      ...view,
      host,
      required,
      mistake: check?.mistake ?? null,
      found: [...(check?.found ?? [])],
      waiting_since: check?.since ?? null,
      advice: advice ?? null,
    })),
  });

/** Addition of Postrider: the keys of a domain with their states. */
export const keyResponse = ({ key, host, serviceHost, removableAt }: PublishedKey): DkimKeyResponse =>
  toResponse(DkimKeyResponse, key, {
    host,
    value: dkimRecord(key),
    delegated_host: serviceHost ?? null,
    removable_at: timestampOrNull(removableAt),
  });

/** A claim (docs/wire-contract.md section 9.4). */
export const claimResponse = (claim: DomainClaim): ClaimResponse =>
  toResponse(ClaimResponse, claim, {
    region: claim.settings.region ?? null,
    record: { type: 'TXT', name: claimHost(claim.name), value: claimValue(claim), ttl: 'Auto' },
  });
