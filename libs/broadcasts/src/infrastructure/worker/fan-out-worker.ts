import { setTimeout as delay } from 'node:timers/promises';
import { ProcessNotifications } from '#postgres/database';
import { Logger } from '#observability/logging';
import { WorkSearch } from '#postgres/events';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { broadcastQueued } from '../../application/ports/broadcast-repository.port.js';
import { FanOutBroadcasts, StartBroadcasts } from '../../application/send-broadcasts.use-case.js';

const due = `(SELECT min(release_at) FROM broadcasts WHERE status = 'scheduled') <= $1`;
const startDueEveryMs = 1_000;
const queued = `(SELECT min(queued_at) FROM broadcasts WHERE status = 'queued') IS NOT NULL`;
/** The sweep, in case a wake-up was lost, and the tick for waves that wait for a time. */
const sweepMs = 1_000;
/** Slices that one process works on at once: while PostgreSQL writes one, this process makes the emails of the other. */
const atOnce = 2;
const keepUpEveryMs = 5_000;

/** Works on broadcasts until there is nothing to do, in every worker. Workers skip what another worker has locked. */
@Injectable()
export class FanOutWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private running = 0;

  constructor(
    private readonly start: StartBroadcasts,
    private readonly broadcasts: FanOutBroadcasts,
    private readonly processes: ProcessNotifications,
    private readonly search: WorkSearch,
    private readonly timers: Timers,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.processes.on(broadcastQueued, () => this.wake());
    this.search.every(startDueEveryMs, 'starting scheduled broadcasts', due, () => this.start.startDue());
    for (let no = 0; no < atOnce; no++) {
      this.search.every(sweepMs, 'sending broadcasts', queued, () => this.sweep(no));
    }
    this.timers.every(keepUpEveryMs, 'resuming and tidying broadcasts', () => this.keepUp());
  }

  beforeApplicationShutdown(): void {
    this.broadcasts.stop();
  }

  private wake(): void {
    this.work().catch((error: unknown) => this.logger.warn({ error }, 'sending broadcasts failed; it is tried again'));
  }

  /** While nothing is sent, only the first one looks. */
  private async sweep(no: number): Promise<void> {
    if (no <= this.running) await this.work();
  }

  private async work(): Promise<void> {
    if (this.running >= atOnce) return;
    this.running++;
    try {
      for (let startedAt = performance.now(); await this.broadcasts.step(); startedAt = performance.now()) {
        const restMs = this.broadcasts.restMs(performance.now() - startedAt);
        if (restMs > 0) await delay(restMs);
      }
    } finally {
      this.running--;
    }
  }

  private async keepUp(): Promise<void> {
    await this.broadcasts.resumeHeld();
    await this.broadcasts.watchShares();
    while (await this.broadcasts.tidy());
  }
}
