import { outcomeEventLog } from '#emails';
import type { LoggedEmailEvent } from '#emails';
import { Database } from '#platform/database';
import { EventConsumer } from '#platform/events';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { RecordProgress } from '../../application/progress/record-progress.use-case.js';

const pauseMs = 1_000;
/** Steps of one turn, so that a stop does not wait for a long backlog. */
const maxSteps = 50;

/** Follows the events of emails. Every worker runs it; a lease lets one of them read. */
@Injectable()
export class ProgressWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly consumer: EventConsumer<LoggedEmailEvent>;

  constructor(
    database: Database,
    recordProgress: RecordProgress,
    private readonly timers: Timers,
  ) {
    this.consumer = new EventConsumer(database, {
      name: 'broadcast-progress',
      log: outcomeEventLog,
      maxBatch: 1_000,
      maxSpan: 50_000,
      handle: (events, transaction) => recordProgress.execute(events, transaction),
    });
  }

  onApplicationBootstrap(): void {
    this.timers.every(pauseMs, 'noting what became of broadcasts', () => this.follow());
  }

  /** A worker that starts now continues at once. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.release().catch(() => undefined);
  }

  private async follow(): Promise<void> {
    for (let step = 0; step < maxSteps; step++) {
      await this.consumer.step();
      if (!this.consumer.hasMore) return;
    }
  }
}
