import {
  Always,
  ApiProperty,
  ApiPropertyOptional,
  Flag,
  Id,
  Moment,
  MomentOrNull,
  OneOf,
  OneOfOrNull,
  Text,
  TextOrNull,
  Texts,
} from '#platform/openapi';
import type { BlockedReason, ClaimStatus } from '../../domain/domain-claim.js';
import type { DkimAlgorithm, DkimKeyState, DomainStatus, TlsPolicy } from '../../domain/domain.js';
import type { RecordStatus } from '../../domain/record-check.js';
import type { RecordView } from '../../domain/record-view.js';

const domainStatuses: DomainStatus[] = [
  'not_started',
  'pending',
  'verified',
  'partially_verified',
  'partially_failed',
  'temporary_failure',
  'failed',
];

class CapabilitiesResponse {
  @OneOf('enabled', 'disabled') sending!: string;
  @OneOf('enabled', 'disabled') receiving!: string;
}

class RecordResponse {
  @OneOf('DKIM', 'SPF', 'Receiving', 'Tracking', 'TrackingCAA', 'DMARC', 'TLSRPT') record!: RecordView['record'];
  @Text() name!: string;
  @OneOf('TXT', 'MX', 'CNAME', 'CAA') type!: RecordView['type'];
  @Text() ttl!: string;
  @OneOf('not_started', 'pending', 'verified', 'failed', 'temporary_failure') status!: RecordStatus;
  @Text() value!: string;
  @ApiPropertyOptional({ type: 'integer' }) priority?: number;
  /** Addition of Postrider: why the record must not be published yet. */
}

/** One domain in a list (docs/wire-contract.md section 9.3). */
export class DomainSummaryResponse {
  @Id() id!: string;
  @Text() name!: string;
  @OneOf(...domainStatuses) status!: DomainStatus;
  @Moment() created_at!: string;
  @Text() region!: string;
  @Flag() open_tracking!: boolean;
  @Flag() click_tracking!: boolean;
  @TextOrNull() tracking_subdomain!: string | null;
  @ApiProperty({ type: CapabilitiesResponse }) capabilities!: CapabilitiesResponse;
}

export class DomainResponse extends DomainSummaryResponse {
  @OneOf('domain') object!: 'domain';
  @ApiProperty({ type: [RecordResponse] }) records!: RecordResponse[];
}

export class DomainIdResponse {
  @OneOf('domain') object!: 'domain';
  @Id() id!: string;
}

export class RemovedDomainResponse extends DomainIdResponse {
  @Always(true) deleted!: true;
}

class DiagnosedRecordResponse extends RecordResponse {
  @Text() host!: string;
  @Flag() required!: boolean;
  /** Stable: programs may act on it. */
  @TextOrNull() mistake!: string | null;
  @Texts() found!: string[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) waiting_since!: string | null;
  @TextOrNull() advice!: string | null;
}

export class DiagnosisResponse {
  @OneOf('domain_diagnosis') object!: 'domain_diagnosis';
  @Id() id!: string;
  @Text() name!: string;
  @OneOf(...domainStatuses) status!: DomainStatus;
  @OneOf('opportunistic', 'enforced') tls!: TlsPolicy;
  @TextOrNull() dns_provider!: string | null;
  @MomentOrNull() checked_at!: string | null;
  @MomentOrNull() next_check_at!: string | null;
  @ApiProperty({ type: [DiagnosedRecordResponse] }) records!: DiagnosedRecordResponse[];
}

export class DkimKeyResponse {
  @Id() id!: string;
  @Text() selector!: string;
  @OneOf('rsa-sha256', 'ed25519-sha256') algorithm!: DkimAlgorithm;
  @OneOf('published', 'signing', 'retired') state!: DkimKeyState;
  @Text() host!: string;
  @Text() value!: string;
  @TextOrNull() delegated_host!: string | null;
  @Moment() created_at!: string;
  @MomentOrNull() retired_at!: string | null;
  @MomentOrNull() removable_at!: string | null;
}

class ClaimRecordResponse {
  @OneOf('TXT') type!: 'TXT';
  @Text() name!: string;
  @Text() value!: string;
  @Text() ttl!: string;
}

/** A region from which domains may send. */
export class RegionResponse {
  @Text() name!: string;
  /** Its mail servers say hello with this name, and the MX and CNAME records of its domains lead to it. */
  @Text() host!: string;
  @Flag() is_default!: boolean;
}

/** A claim (docs/wire-contract.md section 9.4). */
export class ClaimResponse {
  @OneOf('domain_claim') object!: 'domain_claim';
  @Id() id!: string;
  @Text() name!: string;
  @OneOf('pending', 'verified', 'completed', 'blocked', 'expired', 'superseded', 'canceled', 'failed')
  status!: ClaimStatus;
  @Id() domain_id!: string;
  @TextOrNull() region!: string | null;
  @ApiProperty({ type: ClaimRecordResponse }) record!: ClaimRecordResponse;
  @OneOfOrNull('grace_period', 'recent_owner_activity', 'pending_scheduled_emails')
  blocked_reason!: BlockedReason | null;
  @TextOrNull() failure_reason!: string | null;
  @Moment() created_at!: string;
  @Moment() expires_at!: string;
}
