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

/** How long a body may still wait, by its last look. */
interface Look {
  readonly at: number;
  readonly receivedBytes: number;
  readonly pausedMs: number;
  readonly leftMs: number;
}

/** Ends bodies that do not arrive in time. One timer checks all of them every second. */
export class BodyClock {
  private readonly arriving = new Map<ArrivingBody, Look>();
  private timer: NodeJS.Timeout | undefined;

  start(body: ArrivingBody): void {
    this.arriving.set(body, { at: body.startedAt, receivedBytes: 0, pausedMs: 0, leftMs: graceMs });
    // eslint-disable-next-line no-restricted-globals -- Runs only while bodies arrive, and never waits.
    this.timer ??= setInterval(() => this.look(performance.now()), lookEveryMs).unref();
  }

  stop(body: ArrivingBody): void {
    this.arriving.delete(body);
  }

  private look(now: number): void {
    for (const [body, last] of this.arriving) {
      const next = lookAt(body, last, now);
      this.arriving.set(body, next);
      if (next.leftMs < 0 || now - body.startedAt - body.pausedMs > maxTotalMs) body.expire();
    }
    if (this.arriving.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

function lookAt({ receivedBytes, pausedMs }: ArrivingBody, last: Look, now: number): Look {
  const waitedMs = now - last.at - (pausedMs - last.pausedMs);
  const earnedMs = ((receivedBytes - last.receivedBytes) / minBytesPerSecond) * 1_000;
  return { at: now, receivedBytes, pausedMs, leftMs: Math.min(graceMs, last.leftMs + earnedMs) - waitedMs };
}
