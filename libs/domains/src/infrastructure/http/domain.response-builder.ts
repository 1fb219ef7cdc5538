import { timestampOrNull, toResponse } from '#http/server';
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

export function domainResponse(domain: Domain, records: readonly RecordView[]): DomainResponse {
  return { object: 'domain', ...domainSummary(domain), ...shownRecords(records) };
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
