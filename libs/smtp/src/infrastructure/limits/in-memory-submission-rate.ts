import { Clock, DomainError } from '#kernel';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { SubmissionRate } from '../../application/ports/submission-rate.port.js';

const mostTeams = 10_000;

/** A fixed window of one second per team, counted by this process. */
@Injectable()
export class InMemorySubmissionRate extends SubmissionRate {
  private readonly used = new Map<string, number>();
  private second = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  async take(teamId: string): Promise<void> {
    const second = Math.floor(this.clock.now().getTime() / 1_000);
    if (second !== this.second || this.used.size > mostTeams) this.used.clear();
    this.second = second;
    const used = (this.used.get(teamId) ?? 0) + 1;
    this.used.set(teamId, used);
    const { rateLimitPerSecond } = this.config.values;
    if (used > rateLimitPerSecond) {
      throw new DomainError(
        'limited',
        'rate_limit_exceeded',
        `Too many requests. You can only make ${rateLimitPerSecond} requests per second.`,
      );
    }
  }
}
