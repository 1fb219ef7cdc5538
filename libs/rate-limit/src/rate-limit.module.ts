import { Clock } from '#kernel';
import { Adapters } from '#platform/adapters';
import { Config } from '#platform/config';
import { Database } from '#postgres/database';
import { Admission } from '#http/server';
import { RedisClient } from '#queue/redis';
import { Global, Module } from '@nestjs/common';
import { RateLimiter } from './application/ports/rate-limiter.port.js';
import { SendingUsage, TeamLimits } from './application/ports/team-limits.port.js';
import { ConfiguredQuotas, Quotas } from './application/quotas.js';
import { ReadUsage } from './application/read-usage.query.js';
import { RateLimitAdmission } from './infrastructure/http/rate-limit-admission.js';
import { FallbackWindowLeases } from './infrastructure/fallback-window-leases.js';
import { InProcessRateLimiter } from './infrastructure/in-process-rate-limiter.js';
import { PostgresSendingUsage, UsagePurge } from './infrastructure/persistence/postgres-sending-usage.js';
import { PostgresTeamLimits } from './infrastructure/persistence/postgres-team-limits.js';
import { PostgresWindowLeases } from './infrastructure/persistence/postgres-window-leases.js';
import { RedisWindowLeases } from './infrastructure/redis/redis-window-leases.js';
import { SharedRateLimiter } from './infrastructure/shared-rate-limiter.js';

/** Limits the requests per second and the messages per day and month of each team. */
// oxlint-disable-next-line house/global-module -- provides the `Admission` of the HTTP platform and of each door
@Global()
@Module({
  providers: [
    {
      provide: RateLimiter,
      inject: [Adapters, Config, Database, Clock, TeamLimits, { token: RedisClient, optional: true }],

      useFactory: (
        adapters: Adapters,
        config: Config,
        database: Database,
        clock: Clock,
        limits: TeamLimits,
        redis?: RedisClient,
      ) => adapters.choose(RateLimiter, () => configuredLimiter({ config, database, clock, limits, redis })),
    },
    { provide: SendingUsage, useClass: PostgresSendingUsage },
    {
      provide: ConfiguredQuotas,
      inject: [Config, TeamLimits],
      useFactory: configuredQuotas,
    },
    { provide: Admission, useClass: RateLimitAdmission },
    { provide: TeamLimits, useClass: PostgresTeamLimits },
    Quotas,
    ReadUsage,
    UsagePurge,
  ],
  exports: [Admission, RateLimiter, Quotas, ReadUsage, TeamLimits],
})
export class RateLimitModule {}

/**
 * The embedded database is used by a single process, which counts in memory. With an external database there may be
 * several processes.
 */
function configuredLimiter({ config, database, clock, limits, redis }: Limiting): RateLimiter {
  const { rateLimitPerSecond, databaseUrl } = config.values;
  const own = (teamId: string): number | null => limits.of(teamId).requestsPerSecond;
  if (databaseUrl === undefined) return new InProcessRateLimiter(rateLimitPerSecond, clock, own);
  const rows = new PostgresWindowLeases(database);
  const windows = redis === undefined ? rows : new FallbackWindowLeases(new RedisWindowLeases(redis.redis), rows);
  return new SharedRateLimiter(rateLimitPerSecond, windows, own);
}

interface Limiting {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: TeamLimits;
  readonly redis?: RedisClient;
}

/** Those of the configuration, and for each team those that the operator has set. */
function configuredQuotas({ values }: Config, limits: TeamLimits): ConfiguredQuotas {
  const quota = (value: number): number | undefined => (value === 0 ? undefined : value);
  const { dailyQuota, monthlyQuota } = values;
  return {
    daily: quota(dailyQuota),
    monthly: quota(monthlyQuota),
    of: (teamId) => {
      const own = limits.of(teamId);
      return { daily: quota(own.dailyQuota ?? dailyQuota), monthly: quota(own.monthlyQuota ?? monthlyQuota) };
    },
    hasOwn: () => limits.hasQuotas,
  };
}
