import { IntrusiveSet } from '#kernel';

/** How long a body may arrive below the minimum rate, at its beginning and later. What came faster earns no more time. */
const graceMs = 20_000;
/** About a quarter of the rate of a slow mobile network. */
const minBytesPerSecond = 16 * 1024;
const maxTotalMs = 300_000;
const lookEveryMs = 1_000;

/** A body that is arriving. */
export interface ArrivingBody {
  /** Value of `performance.now()` at the start. */
  readonly startedAt: number;
  readonly receivedBytes: number;
  /** How long the service did not read the body. */
  readonly pausedMs: number;
  /** Called when the body is too slow. */
  expire(): void;
}

/** A body, and how long it may still wait by the last look at it. */
export class WatchedBody {
  place = -1;
  private lookedAt: number;
  private receivedBytes = 0;
  private pausedMs = 0;
  private leftMs = graceMs;

  constructor(private readonly body: ArrivingBody) {
    this.lookedAt = body.startedAt;
  }

  look(now: number): void {
    const { startedAt, receivedBytes, pausedMs } = this.body;
    const waitedMs = now - this.lookedAt - (pausedMs - this.pausedMs);
    const earnedMs = ((receivedBytes - this.receivedBytes) / minBytesPerSecond) * 1_000;
    this.leftMs = Math.min(graceMs, this.leftMs + earnedMs) - waitedMs;
    [this.lookedAt, this.receivedBytes, this.pausedMs] = [now, receivedBytes, pausedMs];
    if (this.leftMs < 0 || now - startedAt - pausedMs > maxTotalMs) this.body.expire();
  }
}

/** Ends bodies that do not arrive in time. One timer checks all of them every second. */
export class BodyClock {
  private readonly arriving = new IntrusiveSet<WatchedBody>();
  private timer: NodeJS.Timeout | undefined;

  start(body: ArrivingBody): WatchedBody {
    const watched = new WatchedBody(body);
    this.arriving.add(watched);
    // oxlint-disable-next-line no-restricted-globals -- Runs only while bodies arrive, and never waits.
    this.timer ??= setInterval(() => this.look(performance.now()), lookEveryMs).unref();
    return watched;
  }

  /** Undefined: it was never started. */
  stop(watched: WatchedBody | undefined): void {
    if (watched !== undefined) this.arriving.delete(watched);
  }

  private look(now: number): void {
    for (const watched of [...this.arriving]) watched.look(now);
    if (this.arriving.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
