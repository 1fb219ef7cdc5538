import { IdentityModule } from '#identity';
import { mailShare } from '#postgres/database';
import { Module } from '@nestjs/common';
import { EmailCounters } from './application/ports/email-counters.port.js';
import { EmailMetrics } from './application/email-metrics.query.js';
import { BroadcastMetricsController } from './infrastructure/http/broadcast-metrics.controller.js';
import { MetricsController } from './infrastructure/http/metrics.controller.js';
import { PostgresEmailCounters } from './infrastructure/persistence/postgres-email-counters.js';
import { CounterKeeper } from './infrastructure/worker/counter-keeper.js';

const counters = [mailShare, { provide: EmailCounters, useClass: PostgresEmailCounters }];

/** Metrics of emails. A database trigger updates the counters with every event. */
@Module({
  imports: [IdentityModule],
  controllers: [MetricsController, BroadcastMetricsController],
  providers: [...counters, EmailMetrics],
})
export class InsightsHttpModule {}

@Module({ providers: [...counters, CounterKeeper] })
export class InsightsWorkerModule {}
