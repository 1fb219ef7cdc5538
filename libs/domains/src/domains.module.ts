import { DomainOwnership, IdentityModule } from '#identity';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Module, Provider } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnownDomainOwnership } from './application/known-domain-ownership.js';
import { ChangeDomain } from './application/change-domain.js';
import { CheckClaim } from './application/check-claim.use-case.js';
import { ClaimChanges } from './application/claim-changes.js';
import { DomainDrafts } from './application/domain-drafts.js';
import { CheckDomain } from './application/check-domain.use-case.js';
import { ClaimDomain } from './application/claim-domain.use-case.js';
import { CreateDomain } from './application/create-domain.use-case.js';
import { DeleteDomain } from './application/delete-domain.use-case.js';
import { DomainOwners } from './application/domain-owners.query.js';
import { DomainRecords } from './application/domain-records.js';
import { InspectDomains } from './application/inspect-domains.query.js';
import { RecordInspector } from './application/inspection/record-inspector.js';
import { NewSigningKeys } from './application/new-signing-keys.js';
import { ClaimRepository } from './application/ports/claim-repository.port.js';
import { ClaimTokens } from './application/ports/claim-tokens.port.js';
import { DkimKeyGenerator } from './application/ports/dkim-key-generator.port.js';
import { DnsResolver } from './application/ports/dns-resolver.port.js';
import { DomainRepository } from './application/ports/domain-repository.port.js';
import { PublicSuffixes } from './application/ports/public-suffixes.port.js';
import { RotationPolicy } from './application/ports/rotation-policy.port.js';
import { ServiceNames } from './application/ports/service-names.port.js';
import { PublishedKeys } from './application/published-keys.query.js';
import { ReceivingDomains } from './application/receiving-domains.query.js';
import { ReadDomains } from './application/read-domains.query.js';
import { ReportedDomains } from './application/reported-domains.query.js';
import { ResealKeys } from './application/reseal-keys.use-case.js';
import { ReturnPathHosts } from './application/return-path-hosts.query.js';
import { RotateDkimKeys } from './application/rotate-dkim-keys.use-case.js';
import { RotateOldKeys } from './application/rotate-old-keys.use-case.js';
import { RunDueChecks } from './application/run-due-checks.use-case.js';
import { RunDueClaims } from './application/run-due-claims.use-case.js';
import { SendingDomains } from './application/sending-domains.query.js';
import { UpdateDomain } from './application/update-domain.use-case.js';
import { VerifyDomain } from './application/verify-domain.use-case.js';
import { ConfiguredRotationPolicy } from './infrastructure/configured-rotation-policy.js';
import { ConfiguredServiceNames } from './infrastructure/configured-service-names.js';
import { CryptoClaimTokens } from './infrastructure/crypto-claim-tokens.js';
import { SystemDnsResolver } from './infrastructure/dns/system-dns-resolver.js';
import { TldtsPublicSuffixes } from './infrastructure/dns/tldts-public-suffixes.js';
import { DomainClaimsController } from './infrastructure/http/domain-claims.controller.js';
import { DomainDiagnosisController } from './infrastructure/http/domain-diagnosis.controller.js';
import { DomainsController } from './infrastructure/http/domains.controller.js';
import { NodeDkimKeyGenerator } from './infrastructure/node-dkim-key-generator.js';
import { DkimKeyRow } from './infrastructure/persistence/dkim-key.row.js';
import { DomainRow } from './infrastructure/persistence/domain.row.js';
import { DomainsPurge } from './infrastructure/persistence/domains-purge.js';
import { PostgresClaimRepository } from './infrastructure/persistence/postgres-claim-repository.js';
import { PostgresDomainRepository } from './infrastructure/persistence/postgres-domain-repository.js';
import { DomainCheckWorker } from './infrastructure/worker/domain-check-worker.js';
import { KeyResealing } from './infrastructure/worker/key-resealing.js';

const adapters: Provider[] = [
  { provide: DomainRepository, useClass: PostgresDomainRepository },
  { provide: ClaimRepository, useClass: PostgresClaimRepository },
  { provide: DkimKeyGenerator, useClass: NodeDkimKeyGenerator },
  { provide: ClaimTokens, useClass: CryptoClaimTokens },
  { provide: PublicSuffixes, useClass: TldtsPublicSuffixes },
  { provide: RotationPolicy, useClass: ConfiguredRotationPolicy },
  { provide: ServiceNames, useClass: ConfiguredServiceNames },
  { provide: DomainOwnership, useClass: KnownDomainOwnership },
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
  DomainOwners,
  InspectDomains,
  PublishedKeys,
  ReceivingDomains,
  ReportedDomains,
  ReturnPathHosts,
  SendingDomains,
];
const forDrivers = [
  ClaimDomain,
  DeleteDomain,
  ReadDomains,
  ResealKeys,
  RotateDkimKeys,
  RotateOldKeys,
  RunDueChecks,
  UpdateDomain,
  VerifyDomain,
];

/**
 * The domains from which mail is sent, and the keys that sign it. Needs a `SandboxPolicy`, which the delivery lib
 * provides.
 */
@Module({
  imports: [TypeOrmModule.forFeature([DomainRow, DkimKeyRow])],
  providers: [
    ...adapters,
    ...forOtherFeatures,
    ...forDrivers,
    ChangeDomain,
    CheckDomain,
    DomainDrafts,
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
    PublicSuffixes,
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
  providers: [CheckClaim, ClaimChanges, RunDueClaims, DomainCheckWorker, KeyResealing],
})
export class DomainsWorkerModule {}
