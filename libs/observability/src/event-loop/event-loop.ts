import { Global, Injectable, Module, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '#observability/metrics';
import { beatMs, frozenAfterMs } from './freeze.js';

/** How long a process gets no new work after a freeze, in ms, because the work that froze it is often retried. */
const recoveryMs = 5_000;

/** Sends heartbeats of the event loop to the watchdog thread, and detects freezes that are over. */
@Injectable()
export class EventLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Number of heartbeats, in memory shared with the watchdog thread. */
  readonly beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private timer: NodeJS.Timeout | undefined;
  private lastBeat = performance.now();
  private thawedAt = -Infinity;
  private readonly freezes: Counter;

  constructor(metrics: Metrics) {
    this.freezes = metrics.counter(
      'postrider_event_loop_freezes_total',
      'Number of times that the event loop was frozen for a second or longer',
    );
  }

  /** The event loop is frozen, or was frozen within the last `recoveryMs`. */
  get hasJustBeenFrozen(): boolean {
    const now = performance.now();
    return now - this.thawedAt < recoveryMs || now - this.lastBeat > beatMs + frozenAfterMs;
  }

  onApplicationBootstrap(): void {
    this.lastBeat = performance.now();
    // oxlint-disable-next-line no-restricted-globals -- Its own punctuality is what is measured.
    this.timer = setInterval(() => this.beat(), beatMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private beat(): void {
    const now = performance.now();
    if (now - this.lastBeat > beatMs + frozenAfterMs) {
      this.thawedAt = now;
      this.freezes.inc();
    }
    this.lastBeat = now;
    Atomics.add(this.beats, 0, 1);
  }
}

@Global()
@Module({ providers: [EventLoop], exports: [EventLoop] })
export class EventLoopModule {}
