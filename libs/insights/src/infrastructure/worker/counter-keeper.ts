import { Clock } from '#kernel';
import { Timers } from '#platform/timers';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { EmailCounters } from '../../application/ports/email-counters.port.js';
import { retentionMs } from '../../domain/metrics-request.js';

const intervalMs = 5 * 60_000;
/** After this time no transaction writes to the counters of a quarter of an hour any more. */
const settledMs = 60 * 60_000;

/** Keeps the counters small. Every worker runs it; each skips the rows that another one has locked. */
@Injectable()
export class CounterKeeper implements OnApplicationBootstrap {
  constructor(
    private readonly counters: EmailCounters,
    private readonly clock: Clock,
    private readonly timers: Timers,
  ) {}

  onApplicationBootstrap(): void {
    this.timers.every(intervalMs, 'compacting the counters', () => this.compact());
  }

  private async compact(): Promise<void> {
    const now = this.clock.now().getTime();
    await this.counters.compact(new Date(now - settledMs), new Date(now - retentionMs));
  }
}
