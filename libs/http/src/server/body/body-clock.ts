/** A body may begin slowly. After this time, it must have arrived at the minimum rate. */
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

/** Ends bodies that do not arrive in time. One timer checks all of them every second. */
export class BodyClock {
  private readonly arriving = new Set<ArrivingBody>();
  private timer: NodeJS.Timeout | undefined;

  start(body: ArrivingBody): void {
    this.arriving.add(body);
    // eslint-disable-next-line no-restricted-globals -- Runs only while bodies arrive, and never waits.
    this.timer ??= setInterval(() => this.look(performance.now()), lookEveryMs).unref();
  }

  stop(body: ArrivingBody): void {
    this.arriving.delete(body);
  }

  private look(now: number): void {
    for (const body of this.arriving) if (isLate(body, now)) body.expire();
    if (this.arriving.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

export function isLate({ startedAt, receivedBytes, pausedMs }: ArrivingBody, now: number): boolean {
  const allowedMs = graceMs + (receivedBytes / minBytesPerSecond) * 1_000;
  return now - startedAt - pausedMs > Math.min(allowedMs, maxTotalMs);
}
