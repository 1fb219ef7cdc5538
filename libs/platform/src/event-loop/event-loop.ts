import { Metrics } from '#platform/metrics';
import { Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { beatMs, frozenAfterMs } from './freeze.js';

/** How long a process that has been frozen gets no new work, in ms: what froze it is often tried again. */
const recoveryMs = 5_000;

/** Whether this process's event loop turns: beats for the watchdog thread to see, and knows of freezes that are over. */
@Injectable()
export class EventLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Grows by one with each beat; shared with the thread that watches. */
  readonly beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private timer: NodeJS.Timeout | undefined;
  private lastBeat = performance.now();
  private thawedAt = -Infinity;
  private readonly freezes: Counter;

  constructor(metrics: Metrics) {
    this.freezes = metrics.counter(
      'postrider_event_loop_freezes_total',
      'Times at which the event loop did not turn for a second or longer',
    );
  }

  /** It does not turn, or has not for long. */
  get hasJustBeenFrozen(): boolean {
    const now = performance.now();
    return now - this.thawedAt < recoveryMs || now - this.lastBeat > beatMs + frozenAfterMs;
  }

  onApplicationBootstrap(): void {
    this.lastBeat = performance.now();
    // eslint-disable-next-line no-restricted-globals -- Its own punctuality is what is measured.
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
