import { hostname } from 'node:os';
import { Module, Provider } from '@nestjs/common';
import { DnsResolver, DomainsModule } from '#domains';
import { IdentityModule } from '#identity';
import { ProviderReportsModule } from '#provider-reports';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Database, mailShare, SessionLocks } from '#postgres/database';
import { Logger } from '#observability/logging';
import { KeepAddresses } from './application/keep-addresses.use-case.js';
import { KeepPools } from './application/keep-pools.use-case.js';
import { AddressRepository } from './application/ports/address-repository.port.js';
import { MailHosts } from './application/ports/mail-hosts.port.js';
import { PoolRepository } from './application/ports/pool-repository.port.js';
import { StsPolicyStore } from './application/ports/sts-policy-store.port.js';
import { ReverseNames } from './application/reverse-names.js';
import { ConfiguredMx } from './infrastructure/configured-mx.js';
import { AddressesController } from './infrastructure/http/addresses.controller.js';
import { PoolsController } from './infrastructure/http/pools.controller.js';
import { LookedUpMailHosts } from './infrastructure/looked-up-mail-hosts.js';
import { PostgresAddressRepository } from './infrastructure/persistence/postgres-address-repository.js';
import { PostgresPoolRepository } from './infrastructure/persistence/postgres-pool-repository.js';
import { PostgresOtherWorkers, PostgresSiteSlots } from './infrastructure/persistence/postgres-site-sharing.js';
import { PostgresStsPolicyStore } from './infrastructure/persistence/postgres-sts-policy-store.js';
import { SendingPlans } from './infrastructure/persistence/sending-plans.js';
import { SiteSharing } from './infrastructure/sites/site-sharing.js';
import { StoredSources } from './infrastructure/sites/stored-sources.js';
import { SourceRefresh } from './infrastructure/persistence/source-refresh.js';

const siteSharing: Provider = {
  provide: SiteSharing,
  inject: [Config, Database, SessionLocks, Logger],
  useFactory: ({ values }: Config, database: Database, locks: SessionLocks, logger: Logger) => {
    // An embedded database has no separate workers, so this process is the only one.
    if (values.databaseUrl === undefined) return new SiteSharing();
    return new SiteSharing(
      new PostgresSiteSlots(locks, (error) => logger.warn({ error }, 'mail waits because slots cannot be requested')),
      new PostgresOtherWorkers(database, newId()),
    );
  },
};

/** Delivers directly to the mail hosts of the recipients' domains. */
@Module({
  imports: [DomainsModule],
  providers: [
    mailShare,
    siteSharing,
    {
      provide: StsPolicyStore,
      inject: [Adapters, Database],
      useFactory: (adapters: Adapters, database: Database) =>
        adapters.choose(StsPolicyStore, () => new PostgresStsPolicyStore(database)),
    },
    {
      provide: StoredSources,
      inject: [Database, Config],
      useFactory: (database: Database, { values }: Config) =>
        new StoredSources(new SendingPlans(database), { name: hostname(), region: values.region }),
    },
    SourceRefresh,
    {
      provide: ConfiguredMx,
      inject: [Config, DnsResolver, StsPolicyStore, Logger, SiteSharing, StoredSources],
      useFactory: (...parts: ConstructorParameters<typeof ConfiguredMx>) => new ConfiguredMx(...parts),
    },
  ],
  exports: [ConfiguredMx],
})
export class MxModule {}

/** Whether domains have hosts that take mail. */
@Module({
  imports: [DomainsModule],
  providers: [
    {
      provide: MailHosts,
      inject: [DnsResolver, Config],
      useFactory: (dns: DnsResolver, { values }: Config) => new LookedUpMailHosts(dns, values.allowPrivateDestinations),
    },
  ],
  exports: [MailHosts],
})
export class MailHostsModule {}

/** The addresses of the installation, also for its doctor. */
@Module({
  providers: [{ provide: AddressRepository, useClass: PostgresAddressRepository }],
  exports: [AddressRepository],
})
export class SendingAddressesModule {}

/** The addresses and pools of the installation, over HTTP. */
@Module({
  imports: [DomainsModule, IdentityModule, ProviderReportsModule, SendingAddressesModule],
  controllers: [AddressesController, PoolsController],
  providers: [{ provide: PoolRepository, useClass: PostgresPoolRepository }, ReverseNames, KeepAddresses, KeepPools],
})
export class MxHttpModule {}
