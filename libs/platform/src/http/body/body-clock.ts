/** A body may begin slowly; after this long it must have come at the least rate. */
const graceMs = 20_000;
/** About a quarter of what a slow mobile network gives. */
const minBytesPerSecond = 16 * 1024;
const maxTotalMs = 300_000;
const lookEveryMs = 1_000;

/** A body that is arriving. */
export interface ArrivingBody {
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly receivedBytes: number;
  /** For how long it was the service that did not read. */
  readonly pausedMs: number;
  /** It is too slow. */
  expire(): void;
}

/** Ends bodies that do not arrive in time: one look at all of them each second, and no timer for each. */
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
