export {
  TeamLimits,
  type TeamLimitSettings,
  type CountedMessages,
  type KeyLimit,
} from './application/ports/team-limits.port.js';
export { RateLimiter, type GrantedLease, WindowLeases } from './application/ports/rate-limiter.port.js';
export { Quotas } from './application/quotas.js';
export { ReadUsage } from './application/read-usage.query.js';
export type { UsageReport } from './application/read-usage.query.js';
export {
  DailyQuotaExceededError,
  MonthlyQuotaExceededError,
  used,
  RateLimitExceededError,
  type RateDecision,
} from './domain/limits.js';
export type { CountedUsage } from './application/quotas.js';
export { InProcessRateLimiter } from './infrastructure/in-process-rate-limiter.js';
export { FallbackWindowLeases } from './infrastructure/fallback-window-leases.js';
export { PostgresWindowLeases } from './infrastructure/persistence/postgres-window-leases.js';
export { RedisWindowLeases } from './infrastructure/redis/redis-window-leases.js';
export { SharedRateLimiter } from './infrastructure/shared-rate-limiter.js';
export { RateLimitModule } from './rate-limit.module.js';
export { rateLimitSchema } from './infrastructure/persistence/schema.js';
