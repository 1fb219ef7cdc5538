import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Admission } from '#platform/http';
import { RedisClient } from '#platform/redis';
import { Global, Module } from '@nestjs/common';
import { RateLimiter } from './application/ports/rate-limiter.port.js';
import { SendingUsage } from './application/ports/sending-usage.port.js';
import { ConfiguredQuotas, Quotas } from './application/quotas.js';
import { ReadUsage } from './application/read-usage.query.js';
import { RateLimitAdmission } from './infrastructure/http/rate-limit-admission.js';
import { FallbackWindowLeases } from './infrastructure/fallback-window-leases.js';
import { InProcessRateLimiter } from './infrastructure/in-process-rate-limiter.js';
import { PostgresSendingUsage } from './infrastructure/persistence/postgres-sending-usage.js';
import { PostgresWindowLeases } from './infrastructure/persistence/postgres-window-leases.js';
import { UsagePurge } from './infrastructure/persistence/usage-purge.js';
import { RedisWindowLeases } from './infrastructure/redis/redis-window-leases.js';
import { SharedRateLimiter } from './infrastructure/shared-rate-limiter.js';

/** Limits the requests per second and the messages per day and month of each team. */
// eslint-disable-next-line no-restricted-syntax -- provides the `Admission` of the HTTP platform and of each door
@Global()
@Module({
  providers: [
    {
      provide: RateLimiter,
      inject: [Adapters, Config, Database, Clock, { token: RedisClient, optional: true }],
      useFactory: (adapters: Adapters, config: Config, database: Database, clock: Clock, redis?: RedisClient) =>
        adapters.choose(RateLimiter, () => configuredLimiter(config, database, clock, redis)),
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
    UsagePurge,
  ],
  exports: [Admission, RateLimiter, Quotas, ReadUsage],
})
export class RateLimitModule {}

/**
 * The embedded database is used by a single process, which counts in memory. With an external database there may be
 * several processes.
 */
function configuredLimiter({ values }: Config, database: Database, clock: Clock, client?: RedisClient): RateLimiter {
  if (values.databaseUrl === undefined) return new InProcessRateLimiter(values.rateLimitPerSecond, clock);
  const rows = new PostgresWindowLeases(database);
  const windows = client === undefined ? rows : new FallbackWindowLeases(new RedisWindowLeases(client.redis), rows);
  return new SharedRateLimiter(values.rateLimitPerSecond, windows);
}
