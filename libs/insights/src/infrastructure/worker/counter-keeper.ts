import { Clock } from '#kernel';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { EmailCounters } from '../../application/ports/email-counters.port.js';
import { retentionMs } from '../../domain/metrics-request.js';

const everyMs = 5 * 60_000;
/** By then nobody counts in a quarter of an hour any more. */
const settledMs = 60 * 60_000;

/** Keeps the counters small, in every worker: what one tidies up, the others pass over. */
@Injectable()
export class CounterKeeper implements OnApplicationBootstrap {
  constructor(
    private readonly counters: EmailCounters,
    private readonly clock: Clock,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(everyMs, 'tidying the counters up', () => this.tidy());
  }

  private async tidy(): Promise<void> {
    const now = this.clock.now().getTime();
    await this.counters.tidy(new Date(now - settledMs), new Date(now - retentionMs));
  }
}
