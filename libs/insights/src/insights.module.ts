import { DomainsModule } from '#domains';
import { IdentityModule } from '#identity';
import { ProviderReportsModule } from '#provider-reports';
import { mailShare } from '#postgres/database';
import { ReportsHttpModule } from '#reports';
import { DynamicModule, Module, Type } from '@nestjs/common';
import { CountByProvider } from './application/count-by-provider.use-case.js';
import { DomainInsights } from './application/domain-insights.query.js';
import { EmailCounters } from './application/ports/email-counters.port.js';
import { ProviderCounters } from './application/ports/provider-counters.port.js';
import { EmailMetrics } from './application/email-metrics.query.js';
import { BroadcastMetricsController } from './infrastructure/http/broadcast-metrics.controller.js';
import { DomainInsightsController } from './infrastructure/http/domain-insights.controller.js';
import { MetricsController } from './infrastructure/http/metrics.controller.js';
import { PostgresEmailCounters } from './infrastructure/persistence/postgres-email-counters.js';
import {
  PostgresProviderCounters,
  ReplyExamplesData,
} from './infrastructure/persistence/postgres-provider-counters.js';
import { ProviderCountsPurge } from './infrastructure/persistence/provider-counts-purge.js';
import {
  CounterKeeper,
  ProviderCountsWorker,
  ProviderUnsubscribesWorker,
} from './infrastructure/worker/counter-workers.js';

const counters = [
  mailShare,
  { provide: EmailCounters, useClass: PostgresEmailCounters },
  { provide: ProviderCounters, useClass: PostgresProviderCounters },
];

/** What examples of replies say about people. For every process. */
@Module({ providers: [ReplyExamplesData] })
export class InsightsDataModule {}

/** Metrics of emails, whose counters a database trigger updates with every event, and insights of domains. */
@Module({})
export class InsightsHttpModule {
  /** @param listings the module that exports a `DomainListings` */
  static forRoot({ listings }: { readonly listings: Type }): DynamicModule {
    return {
      module: InsightsHttpModule,
      imports: [DomainsModule, IdentityModule, ReportsHttpModule, ProviderReportsModule, listings],
      controllers: [MetricsController, BroadcastMetricsController, DomainInsightsController],
      providers: [...counters, EmailMetrics, DomainInsights],
    };
  }
}

@Module({
  providers: [
    ...counters,
    CounterKeeper,
    CountByProvider,
    ProviderCountsWorker,
    ProviderUnsubscribesWorker,
    ProviderCountsPurge,
  ],
})
export class InsightsWorkerModule {}
