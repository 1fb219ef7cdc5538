import { DomainOwnership } from '#identity';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnownDomainOwnership } from './application/known-domain-ownership.js';
import { CreateDomain } from './application/create-domain.use-case.js';
import { DomainOwners } from './application/domain-owners.query.js';
import { DkimKeyGenerator } from './application/ports/dkim-key-generator.port.js';
import { DnsResolver } from './application/ports/dns-resolver.port.js';
import { DomainRepository } from './application/ports/domain-repository.port.js';
import { PublishedKeys } from './application/published-keys.query.js';
import { SendingDomains } from './application/sending-domains.query.js';
import { SystemDnsResolver } from './infrastructure/dns/system-dns-resolver.js';
import { NodeDkimKeyGenerator } from './infrastructure/node-dkim-key-generator.js';
import { DkimKeyRow } from './infrastructure/persistence/dkim-key.row.js';
import { DomainRow } from './infrastructure/persistence/domain.row.js';
import { PostgresDomainRepository } from './infrastructure/persistence/postgres-domain-repository.js';

/** The domains mail is sent from, and the keys that sign it. Wants a `SandboxPolicy` from whoever delivers. */
@Module({
  imports: [TypeOrmModule.forFeature([DomainRow, DkimKeyRow])],
  providers: [
    { provide: DomainRepository, useClass: PostgresDomainRepository },
    { provide: DkimKeyGenerator, useClass: NodeDkimKeyGenerator },
    {
      provide: DnsResolver,
      inject: [Adapters, Config],
      useFactory: (adapters: Adapters, { values }: Config) =>
        adapters.choose(
          DnsResolver,
          () => new SystemDnsResolver({ servers: values.dnsServers, timeoutMs: 5_000, tries: 2 }),
        ),
    },
    { provide: DomainOwnership, useClass: KnownDomainOwnership },
    CreateDomain,
    DomainOwners,
    PublishedKeys,
    SendingDomains,
  ],
  exports: [DomainOwnership, CreateDomain, DomainOwners, PublishedKeys, SendingDomains, DnsResolver],
})
export class DomainsModule {}
