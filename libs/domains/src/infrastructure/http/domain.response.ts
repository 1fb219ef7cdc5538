import {
  Always,
  Deleted,
  Field,
  Flag,
  Id,
  InstantOrNull,
  ListOf,
  Moment,
  MomentOrNull,
  OneOf,
  OneOfOrNull,
  OptionalField,
  ReferenceTo,
  Shape,
  Text,
  TextOrNull,
  Texts,
} from '#http/openapi';
import type { BlockedReason, ClaimStatus } from '../../domain/domain-claim.js';
import type { DkimAlgorithm, DkimKeyState, DomainStatus, TlsPolicy } from '../../domain/domain.js';
import type { TrackingCertificate } from '../../application/ports/service-names.port.js';
import type { RecordStatus } from '../../domain/record-check.js';
import type { RecordView } from '../../domain/record-view.js';
import { claimedDomainId, domainId } from './example-ids.js';

/** Clients with enums lose the whole list to a word that they do not know. */
const knownStatuses = [
  'not_started',
  'pending',
  'verified',
  'partially_verified',
  'partially_failed',
  'failed',
] as const satisfies readonly DomainStatus[];
const domainStatuses: DomainStatus[] = [...knownStatuses, 'temporary_failure'];
const knownRecords = ['DKIM', 'SPF', 'Receiving MX', 'Tracking', 'TrackingCAA'] as const;

@Shape('What a domain is for.')
class CapabilitiesResponse {
  @OneOf(['enabled', 'disabled'], 'Whether mail may be sent from it.', 'enabled') sending!: string;
  @OneOf(['enabled', 'disabled'], 'Whether mail to it is received.', 'disabled') receiving!: string;
}

@Shape('A DNS record to publish.')
class RecordResponse {
  @OneOf(knownRecords, 'What the record is for.', 'SPF') record!: RecordView['record'];
  @Text('Name of the record, relative to the domain or in full, as most DNS providers want it entered.', 'send')
  name!: string;
  @OneOf(['TXT', 'MX', 'CNAME', 'CAA'], 'Type of the record.', 'TXT') type!: RecordView['type'];
  @Text('Time to live: `Auto` means any.', 'Auto') ttl!: string;
  @OneOf(
    ['not_started', 'pending', 'verified', 'failed', 'temporary_failure'],
    'Status of the record. `temporary_failure`: it was verified and is missing now.',
    'verified',
  )
  status!: RecordStatus;
  @Text('Value of the record.', 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0z') value!: string;
  @OptionalField('Priority of an MX record; absent for others.', { type: 'integer' }) priority?: number;
}

@Shape('A DNS record that is worth publishing, though the domain is verified without it.')
class RecommendedRecordResponse extends RecordResponse {
  @OneOf(['DMARC', 'TLSRPT'], 'What the record is for.', 'DMARC') override record!: RecordView['record'];
}

/** One domain in a list (docs/wire-contract.md section 9.3). */
@Shape('A domain without its records.')
export class DomainSummaryResponse {
  @Id('Id of the domain.', domainId) id!: string;
  @Text('Name, in lower case and ASCII.', 'acme.example') name!: string;
  @OneOf(
    knownStatuses,
    'The `state` in the words that all clients know: a `temporary_failure` is `partially_failed`.',
    'pending',
  )
  status!: (typeof knownStatuses)[number];
  @OneOf(
    domainStatuses,
    'Status of the domain, derived from its records for sending and receiving. `temporary_failure`: it was verified, and a record is missing now. An addition of Postrider.',
    'pending',
  )
  state!: DomainStatus;
  @Moment('When it was created.', '2026-11-28 09:10:31.44+00') created_at!: string;
  @Text('Region from which its mail is sent.', 'default') region!: string;
  @Flag('Whether opens are tracked.', false) open_tracking!: boolean;
  @Flag('Whether clicks are tracked.', false) click_tracking!: boolean;
  @TextOrNull('Label of the host in tracked links; null if there is none.') tracking_subdomain!: string | null;
  @Field('What the domain is for.', { type: CapabilitiesResponse }) capabilities!: CapabilitiesResponse;
}

@Shape('The certificate of the host in tracked links.')
class TrackingCertificateResponse {
  @Text('Name of the host.', 'links.acme.example') host!: string;
  @OneOf(
    ['pending', 'issued', 'failed'],
    '`pending`: it is ordered soon. `issued`: links are https. `failed`: the last try failed, and links are http.',
    'issued',
  )
  state!: TrackingCertificate['state'];
  @TextOrNull('Why there is none, or why it was not renewed; null if nothing is wrong.') reason!: string | null;
  @InstantOrNull('Until when it is valid; null where there is none.', '2027-02-26T09:10:31.000Z')
  not_after!: string | null;
  @InstantOrNull('When it is tried again; null if nothing is wrong.') next_try_at!: string | null;
}

@Shape('A domain.')
export class DomainResponse extends DomainSummaryResponse {
  @Always('domain') object!: 'domain';
  @ListOf(RecordResponse, 'The DNS records to publish.', [
    {
      record: 'DKIM',
      name: 'postrider1._domainkey',
      type: 'TXT',
      ttl: 'Auto',
      status: 'pending',
      value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0z',
    },
    {
      record: 'SPF',
      name: 'send',
      type: 'MX',
      ttl: 'Auto',
      status: 'verified',
      value: 'mail.service.example',
      priority: 10,
    },
    {
      record: 'SPF',
      name: 'send',
      type: 'TXT',
      ttl: 'Auto',
      status: 'verified',
      value: 'v=spf1 a:mail.service.example ~all',
    },
  ])
  records!: RecordResponse[];
  @ListOf(RecommendedRecordResponse, 'The DNS records that are recommended. An addition of Postrider.', [
    { record: 'DMARC', name: '_dmarc', type: 'TXT', ttl: 'Auto', status: 'not_started', value: 'v=DMARC1; p=none;' },
  ])
  recommended_records!: RecommendedRecordResponse[];
  @OptionalField(
    'The certificate of its tracking host; absent where this service gets none (`TLS_ACME`), and until the record of the host is verified. An addition of Postrider.',
    { type: TrackingCertificateResponse },
  )
  tracking_certificate?: TrackingCertificateResponse;
}

@Shape('The domain that was changed.')
export class DomainIdResponse extends ReferenceTo('domain', 'Id of the domain.', domainId) {}

@Shape('The domain that was deleted.')
export class RemovedDomainResponse extends Deleted(DomainIdResponse) {}

@Shape('A DNS record, what the DNS has for it, and what to do about it.')
class DiagnosedRecordResponse extends RecordResponse {
  @OneOf([...knownRecords, 'DMARC', 'TLSRPT'], 'What the record is for.', 'DKIM')
  override record!: RecordView['record'];
  @Text('Name of the record in full.', 'postrider1._domainkey.acme.example') host!: string;
  @Flag('Whether the domain needs it to be verified.', true) required!: boolean;
  /** Stable: programs may act on it. */
  @TextOrNull(
    'Stable name of what is wrong, for programs, such as `dkim_truncated_key`; null if nothing is wrong.',
    'zone_name_appended',
  )
  mistake!: string | null;
  @Texts('Values that the DNS has at this name.', []) found!: string[];
  @InstantOrNull('When the wait for this record began; null where it is not waited for.', '2026-11-28T09:15:02.310Z')
  waiting_since!: string | null;
  @TextOrNull(
    'Explanation of what to do; null if there is nothing to do.',
    'The record was published at postrider1._domainkey.acme.example.acme.example. Enter the name without ' +
      'the domain.',
  )
  advice!: string | null;
}

@Shape('What the last check of the DNS found.')
export class DiagnosisResponse {
  @Always('domain_diagnosis') object!: 'domain_diagnosis';
  @Id('Id of the domain.', domainId) id!: string;
  @Text('Name of the domain.', 'acme.example') name!: string;
  @OneOf(domainStatuses, 'Status of the domain.', 'pending') status!: DomainStatus;
  @OneOf(
    ['opportunistic', 'enforced'],
    'Whether its mail is delivered over encrypted connections only.',
    'opportunistic',
  )
  tls!: TlsPolicy;
  @Text('Region to which the domain is assigned.', 'default') region!: string;
  @Flag('Whether another region sends its mail while its own has no worker.', false) failover!: boolean;
  @Text('Region from which its mail leaves now: `region`, or the one that replaces it.', 'default')
  sends_from!: string;
  @TextOrNull('Provider of its name servers; null if it is not known.', 'Cloudflare')
  dns_provider!: string | null;
  @MomentOrNull('When its records were last checked; null if never.', '2026-11-30 20:30:00.1+00')
  checked_at!: string | null;
  @MomentOrNull('When its records are checked next; null where no check is planned.', '2026-11-30 20:35:00.1+00')
  next_check_at!: string | null;
  @ListOf(DiagnosedRecordResponse, 'Its records.', [
    {
      record: 'DKIM',
      name: 'postrider1._domainkey',
      type: 'TXT',
      ttl: 'Auto',
      status: 'pending',
      value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0z',
      host: 'postrider1._domainkey.acme.example',
      required: true,
      mistake: 'zone_name_appended',
      found: [],
      waiting_since: '2026-11-28T09:15:02.310Z',
      advice:
        'The record was published at postrider1._domainkey.acme.example.acme.example. Enter the name without ' +
        'the domain.',
    },
  ])
  records!: DiagnosedRecordResponse[];
}

@Shape('A DKIM key of a domain.')
export class DkimKeyResponse {
  @Id('Id of the key.', '0193a1ee-7d12-70b8-9e5f-27c3d4a60e91') id!: string;
  @Text('Selector (RFC 6376).', 'postrider1') selector!: string;
  @OneOf(['rsa-sha256', 'ed25519-sha256'], 'Algorithm of its signatures.', 'rsa-sha256') algorithm!: DkimAlgorithm;
  @OneOf(
    ['published', 'signing', 'retired'],
    '`published`: signs once its record has been seen. `signing`: signs. `retired`: no longer signs, and ' +
      'stays published until the mail that it signed has arrived.',
    'signing',
  )
  state!: DkimKeyState;
  @Text('Name of its record.', 'postrider1._domainkey.acme.example') host!: string;
  @Text('Value of its record.', 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0z') value!: string;
  @TextOrNull('With `dkim: cname`: the name of this server that `host` is an alias of; null otherwise.')
  delegated_host!: string | null;
  @Moment('When it was created.', '2026-11-28 09:10:31.44+00') created_at!: string;
  @MomentOrNull('When it stopped signing; null where it has not.') retired_at!: string | null;
  @MomentOrNull('When its record may be removed; null where it is still needed.') removable_at!: string | null;
}

@Shape('The DNS record that proves a claim.')
class ClaimRecordResponse {
  @Always('TXT') type!: 'TXT';
  @Text('Name of the record in full.', '_postrider-claim.acme.example') name!: string;
  @Text('Value of the record.', 'postrider-domain-verification=4f1c9b7a2e8d40c5b3a6f0d9e7c81254') value!: string;
  @Text('Time to live: `Auto` means any.', 'Auto') ttl!: string;
}

/** A region from which domains may send. */
@Shape('A region from which domains may send.')
export class RegionResponse {
  @Text('What `region` of a new domain may be.', 'us-east-1') name!: string;
  /** Its mail servers say hello with this name, and the MX and CNAME records of its domains lead to it. */
  @Text('Name of its mail servers, to which the records of its domains lead.', 'mail.service.example')
  host!: string;
  @Flag('Whether a new domain is assigned to it that names no region.', true) is_default!: boolean;
}

/** A claim (docs/wire-contract.md section 9.4). */
@Shape('A claim of a domain that another team has.')
export class ClaimResponse {
  @Always('domain_claim') object!: 'domain_claim';
  @Id('Id of the claim.', '0193a203-4e8a-7c67-8b1d-e4f82c91d653') id!: string;
  @Text('Name of the domain.', 'acme.example') name!: string;
  @OneOf(
    ['pending', 'verified', 'completed', 'blocked', 'expired', 'superseded', 'canceled', 'failed'],
    'Status of the claim.',
    'pending',
  )
  status!: ClaimStatus;
  @Id('Id that the domain gets in your team. The paths of claims use this id.', claimedDomainId) domain_id!: string;
  @TextOrNull('Requested region; null for the default.') region!: string | null;
  @Field('The DNS record that proves the claim.', { type: ClaimRecordResponse }) record!: ClaimRecordResponse;
  @OneOfOrNull(
    ['grace_period', 'recent_owner_activity', 'pending_scheduled_emails'],
    'Why a proven claim has to wait; null if it does not.',
  )
  blocked_reason!: BlockedReason | null;
  @TextOrNull('Why it failed; null if it did not.') failure_reason!: string | null;
  @Moment('When it was created.', '2026-11-30 20:55:48.61+00') created_at!: string;
  @Moment('When it expires without a proof: seven days after its creation.', '2026-12-07 20:55:48.61+00')
  expires_at!: string;
}
