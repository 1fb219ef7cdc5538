import { CellsModule } from '#cells';
import { DomainOwnership, IdentityModule } from '#identity';
import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Module, Provider } from '@nestjs/common';
import { ChangeDomain } from './application/change-domain.use-case.js';
import { CheckClaims } from './application/check-claims.use-case.js';
import { CheckDomains } from './application/check-domains.use-case.js';
import { ClaimChanges } from './application/claim-changes.js';
import { ClaimDomain } from './application/claim-domain.use-case.js';
import { CreateDomain } from './application/create-domain.use-case.js';
import { DomainRecords } from './application/domain-records.js';
import { InspectDomains } from './application/inspect-domains.query.js';
import { PlaceDomains } from './application/place-domains.use-case.js';
import { RecordInspector } from './application/inspection/record-inspector.js';
import { NewSigningKeys } from './application/new-signing-keys.js';
import { OwnedDomains } from './application/owned-domains.query.js';
import { ClaimRepository, DomainRepository } from './application/ports/domain-repository.port.js';
import { DnsResolver } from './application/ports/dns-resolver.port.js';
import { ServiceNames } from './application/ports/service-names.port.js';
import { ReceivingDomains } from './application/receiving-domains.query.js';
import { ReadDomains } from './application/read-domains.query.js';
import { ReportedDomains } from './application/reported-domains.query.js';
import { RotateOldKeys } from './application/rotate-old-keys.use-case.js';
import { SendingDomains } from './application/sending-domains.query.js';
import { ConfiguredServiceNames } from './infrastructure/configured-service-names.js';
import { SystemDnsResolver } from './infrastructure/dns/system-dns-resolver.js';
import { DomainClaimsController } from './infrastructure/http/domain-claims.controller.js';
import { DomainDiagnosisController } from './infrastructure/http/domain-diagnosis.controller.js';
import { DomainsController } from './infrastructure/http/domains.controller.js';
import { DomainsPurge, PostgresClaimRepository } from './infrastructure/persistence/postgres-claim-repository.js';
import { PostgresDomainRepository } from './infrastructure/persistence/postgres-domain-repository.js';
import { DomainCheckWorker, DomainClaimWorker } from './infrastructure/worker/domain-workers.js';
import { KeyResealing } from './infrastructure/worker/key-resealing.js';

const adapters: Provider[] = [
  { provide: DomainRepository, useClass: PostgresDomainRepository },
  { provide: ClaimRepository, useClass: PostgresClaimRepository },
  {
    provide: RotateOldKeys,
    inject: [Config, DomainRepository, ChangeDomain, Clock],
    useFactory: ({ values }: Config, domains: DomainRepository, change: ChangeDomain, clock: Clock) =>
      new RotateOldKeys(values.dkimRotationDays, domains, change, clock),
  },
  { provide: ServiceNames, useClass: ConfiguredServiceNames },
  { provide: DomainOwnership, useExisting: OwnedDomains },
  {
    provide: DnsResolver,
    inject: [Adapters, Config],
    useFactory: (chosen: Adapters, { values }: Config) =>
      chosen.choose(
        DnsResolver,
        () => new SystemDnsResolver({ servers: values.dnsServers, timeoutMs: 5_000, tries: 2 }),
      ),
  },
];

const forOtherFeatures = [
  CreateDomain,
  InspectDomains,
  OwnedDomains,
  ReceivingDomains,
  ReportedDomains,
  SendingDomains,
];
const forDrivers = [PlaceDomains, ChangeDomain, CheckDomains, ClaimDomain, ReadDomains];

/**
 * The domains from which mail is sent, and the keys that sign it. Needs a `SandboxPolicy`, which the delivery lib
 * provides.
 */
@Module({
  imports: [CellsModule],
  providers: [
    ...adapters,
    ...forOtherFeatures,
    ...forDrivers,
    DomainRecords,
    DomainsPurge,
    NewSigningKeys,
    RecordInspector,
  ],
  exports: [
    ...forOtherFeatures,
    ...forDrivers,
    ClaimRepository,
    DnsResolver,
    DomainOwnership,
    DomainRecords,
    DomainRepository,
    RotateOldKeys,
    ServiceNames,
  ],
})
export class DomainsModule {}

/** The HTTP endpoints. The claims controller comes first, so that `/domains/claim` is not read as `/domains/:id`. */
@Module({
  imports: [DomainsModule, IdentityModule],
  controllers: [DomainClaimsController, DomainsController, DomainDiagnosisController],
})
export class DomainsHttpModule {}

/** Checks records periodically. Needs a `DomainActivity`, which the emails lib provides. */
@Module({
  imports: [DomainsModule],
  providers: [CheckClaims, ClaimChanges, DomainCheckWorker, DomainClaimWorker, KeyResealing],
})
export class DomainsWorkerModule {}
