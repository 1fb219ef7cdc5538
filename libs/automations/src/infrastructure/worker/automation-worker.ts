import { setTimeout as delay } from 'node:timers/promises';
import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { AdvanceRuns } from '../../application/advance-runs.use-case.js';
import { automationsHaveWork } from '../../application/ports/event-queue.port.js';
import { RunQueue } from '../../application/ports/run-queue.port.js';
import { StartRuns } from '../../application/start-runs.use-case.js';

/** The longest wait of a step that is due, and of an event whose wake-up was lost. */
const searchMs = 1_000;
const tidyMs = 5_000;
/** The longest rest between two slices. */
const maxRestMs = 200;
/** The rest after a slice of events, so that the next one gathers: a slice of one event costs nearly as much as one of fifty. */
const gatherMs = 10;

/**
 * Starts and advances the runs of all teams until nothing is due, in every worker. Workers skip what another worker has
 * locked, so that a slice of events and a slice of runs are done in turn in each of them.
 */
@Injectable()
export class AutomationWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private working: Promise<void> | undefined;
  private again = false;
  private isStopping = false;

  constructor(
    private readonly startRuns: StartRuns,
    private readonly advanceRuns: AdvanceRuns,
    private readonly queue: RunQueue,
    private readonly notifications: ProcessNotifications,
    private readonly timers: Timers,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.notifications.on(automationsHaveWork, () => this.wake());
    this.timers.every(searchMs, 'running automations', () => this.search());
    this.timers.every(tidyMs, 'tidying automations', () => this.tidy());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.working?.catch(() => undefined);
  }

  private wake(): void {
    this.search().catch((error: unknown) =>
      this.logger.warn({ error }, 'running automations failed; it is tried again'),
    );
  }

  /** One search at a time: a wake-up that comes meanwhile is followed by another one. */
  private search(): Promise<void> {
    this.again = true;
    this.working ??= this.work().finally(() => (this.working = undefined));
    return this.working;
  }

  private async work(): Promise<void> {
    while (this.again && !this.isStopping) {
      this.again = false;
      const startedAt = performance.now();
      let started = 0;
      let advanced = 0;
      try {
        started = await this.startRuns.step(this.advanceRuns.isOtherMailComing);
      } finally {
        // Runs go on also if an event cannot be dealt with.
        advanced = await this.advanceRuns.step();
      }
      if (started + advanced === 0) continue;
      this.again = true;
      // A quarter longer than the slices took: other mail waits for this thread and for PostgreSQL behind one after the other.
      const restMs = Math.min(1.25 * (performance.now() - startedAt), maxRestMs);
      if (this.advanceRuns.isOtherMailComing) await delay(restMs);
      else if (advanced === 0) await delay(gatherMs);
    }
  }

  private async tidy(): Promise<void> {
    while (!this.isStopping && (await this.queue.tidy()));
  }
}
