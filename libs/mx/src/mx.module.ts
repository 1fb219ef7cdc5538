import { Module, Provider } from '@nestjs/common';
import { DnsResolver, DomainsModule } from '#domains';
import { newId } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Database, mailShare, SessionLocks } from '#postgres/database';
import { Logger } from '#observability/logging';
import { StsPolicyStore } from './application/ports/sts-policy-store.port.js';
import { ConfiguredMx } from './infrastructure/configured-mx.js';
import { PostgresOtherWorkers, PostgresSiteSlots } from './infrastructure/persistence/postgres-site-sharing.js';
import { PostgresStsPolicyStore } from './infrastructure/persistence/postgres-sts-policy-store.js';
import { SiteSharing } from './infrastructure/sites/site-sharing.js';

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
      provide: ConfiguredMx,
      inject: [Config, DnsResolver, StsPolicyStore, Logger, SiteSharing],
      useFactory: (...parts: ConstructorParameters<typeof ConfiguredMx>) => new ConfiguredMx(...parts),
    },
  ],
  exports: [ConfiguredMx],
})
export class MxModule {}
