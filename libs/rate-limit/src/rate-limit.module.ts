import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Admission } from '#platform/http';
import { Global, Module } from '@nestjs/common';
import { RateLimiter } from './application/ports/rate-limiter.port.js';
import { SendingUsage } from './application/ports/sending-usage.port.js';
import { ConfiguredQuotas, Quotas } from './application/quotas.js';
import { ReadUsage } from './application/read-usage.query.js';
import { RateLimitAdmission } from './infrastructure/http/rate-limit-admission.js';
import { InProcessRateLimiter } from './infrastructure/in-process-rate-limiter.js';
import { PostgresSendingUsage } from './infrastructure/persistence/postgres-sending-usage.js';
import { SharedRateLimiter } from './infrastructure/persistence/shared-rate-limiter.js';

/** Requests per second and messages per day and month, of each team. */
@Global()
@Module({
  providers: [
    {
      provide: RateLimiter,
      inject: [Adapters, Config, Database, Clock],
      useFactory: (adapters: Adapters, config: Config, database: Database, clock: Clock) =>
        adapters.choose(RateLimiter, () => configuredLimiter(config, database, clock)),
    },
    { provide: SendingUsage, useClass: PostgresSendingUsage },
    {
      provide: ConfiguredQuotas,
      inject: [Config],
      useFactory: ({ values }: Config): ConfiguredQuotas => ({
        daily: values.dailyQuota === 0 ? undefined : values.dailyQuota,
        monthly: values.monthlyQuota === 0 ? undefined : values.monthlyQuota,
      }),
    },
    { provide: Admission, useClass: RateLimitAdmission },
    Quotas,
    ReadUsage,
  ],
  exports: [Admission, RateLimiter, Quotas, ReadUsage],
})
export class RateLimitModule {}

/** The embedded database has one process on it; an own one may have many. */
function configuredLimiter({ values }: Config, database: Database, clock: Clock): RateLimiter {
  return values.databaseUrl === undefined
    ? new InProcessRateLimiter(values.rateLimitPerSecond, clock)
    : new SharedRateLimiter(values.rateLimitPerSecond, database);
}
