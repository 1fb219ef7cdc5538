import { setTimeout as delay } from 'node:timers/promises';
import { Broadcast as ProcessBroadcast } from '#platform/database';
import { Logger } from '#platform/logging';
import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { broadcastWork } from '../../application/fan-out/broadcast-work.js';
import { RunBroadcasts } from '../../application/fan-out/run-broadcasts.use-case.js';
import { TidyBroadcasts } from '../../application/fan-out/tidy-broadcasts.use-case.js';

/** The sweep, in case a wake-up was lost, and the tick of what waits for a time. */
const sweepMs = 1_000;
/** Slices that one process works on at once: while PostgreSQL writes one, this process makes the emails of the other. */
const atOnce = 2;
const tidyEveryMs = 5_000;

/** Works on broadcasts until there is nothing to do. Every worker does it. */
@Injectable()
export class FanOutWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private running = 0;

  constructor(
    private readonly broadcasts: RunBroadcasts,
    private readonly tidy: TidyBroadcasts,
    private readonly processes: ProcessBroadcast,
    private readonly timers: Timers,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.processes.on(broadcastWork, () => this.wake());
    for (let no = 0; no < atOnce; no++) {
      this.timers.every(sweepMs, 'sending broadcasts', () => this.sweep(no), no * 100);
    }
    this.timers.every(tidyEveryMs, 'resuming and tidying broadcasts', () => this.keepUp());
  }

  beforeApplicationShutdown(): void {
    this.broadcasts.stop();
    this.tidy.stop();
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
      for (let begunAt = performance.now(); await this.broadcasts.step(); begunAt = performance.now()) {
        const restMs = this.broadcasts.restMs(performance.now() - begunAt);
        if (restMs > 0) await delay(restMs);
      }
    } finally {
      this.running--;
    }
  }

  private async keepUp(): Promise<void> {
    await this.broadcasts.resumeHeld();
    while (await this.tidy.step());
  }
}
