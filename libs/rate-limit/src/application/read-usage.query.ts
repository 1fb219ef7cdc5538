import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { QuotaLimits, resetsOf, TeamUsage } from '../domain/limits.js';
import { RateLimiter } from './ports/rate-limiter.port.js';
import { SendingUsage } from './ports/team-limits.port.js';
import { ConfiguredQuotas } from './quotas.js';

export interface UsageReport {
  readonly usage: TeamUsage;
  readonly limits: QuotaLimits;
  readonly resetsAt: { readonly daily: Date; readonly monthly: Date };
  readonly requestsPerSecond: number;
}

/** What a team has used of its quotas, with the limits and the times at which they reset. */
@Injectable()
export class ReadUsage {
  constructor(
    private readonly usage: SendingUsage,
    private readonly limits: ConfiguredQuotas,
    private readonly rateLimiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  async read(teamId: string): Promise<UsageReport> {
    const now = this.clock.now();
    return {
      usage: await this.usage.read(teamId, now),
      limits: this.limits.of?.(teamId) ?? this.limits,
      resetsAt: resetsOf(now),
      requestsPerSecond: this.rateLimiter.limitOf(teamId),
    };
  }
}
