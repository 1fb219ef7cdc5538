export { ChangeDomain } from './application/change-domain.use-case.js';
export { CreateDomain } from './application/create-domain.use-case.js';
export type { DiagnosedRecord } from './application/domain-records.js';
export { InspectDomains } from './application/inspect-domains.query.js';
export type { InspectedDomain } from './application/inspect-domains.query.js';
export { OwnedDomains } from './application/owned-domains.query.js';
export { DnsResolver, DnsUnavailableError } from './application/ports/dns-resolver.port.js';
export type {
  DnsAnswer,
  DnsRecords,
  DnsRecordType,
  MxRecord,
  TlsaRecord,
} from './application/ports/dns-resolver.port.js';
export { DomainActivity, type MovedDomain } from './application/ports/domain-repository.port.js';
export { SandboxPolicy, ServiceNames, TrackingCertificates } from './application/ports/service-names.port.js';
export type { TrackingCertificate } from './application/ports/service-names.port.js';
export { PlaceDomains } from './application/place-domains.use-case.js';
export { ReadDomains } from './application/read-domains.query.js';
export { ReceivingDomains } from './application/receiving-domains.query.js';
export type { ReceivingDomain } from './application/receiving-domains.query.js';
export { ReportedDomains } from './application/reported-domains.query.js';
export { SendingDomains } from './application/sending-domains.query.js';
export type { BrandLogo } from './domain/brand-logo.js';
export { DomainNotVerifiedError, SandboxDomainError, SendingDisabledError } from './domain/domain-errors.js';
export type { DomainEventPayload, DomainEventType } from './domain/domain-event.js';
export { returnPathHost, sendingRegion, trackingHost } from './domain/domain.js';
export type { DkimAlgorithm, DkimKeyInfo, Domain, DomainStatus, SigningKey, TlsPolicy } from './domain/domain.js';
export type { ServiceHosts } from './domain/expected-record.js';
export type { RecordView } from './domain/record-view.js';
export { reverseName } from './domain/reverse-name.js';
export { reportAddress, reportHost } from './domain/report-address.js';
export type { ReportKind } from './domain/report-address.js';
export { DomainsHttpModule, DomainsModule, DomainsWorkerModule } from './domains.module.js';
export { InMemoryDnsResolver } from './infrastructure/dns/in-memory-dns-resolver.js';
export type { ZoneRecords } from './infrastructure/dns/in-memory-dns-resolver.js';
export { SystemDnsResolver } from './infrastructure/dns/system-dns-resolver.js';
export { sealedKeySamples } from './infrastructure/persistence/sealed-key-samples.js';
export { domainsSchema } from './infrastructure/persistence/schema.js';
