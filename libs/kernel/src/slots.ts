/** A semaphore: at most `free` callers hold a slot at once, the others wait in order. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  take(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}

/**
 * Waits for what `take` grants, at most `maxWaitMs`, and then throws the refusal. `take` must reject with the reason of
 * its signal.
 *
 * A caller on a hot path asks `takeAtOnce` first: that needs no timer.
 */
export async function takeWithin<Grant>(
  maxWaitMs: number,
  refusal: () => Error,
  take: (signal: AbortSignal) => Promise<Grant>,
): Promise<Grant> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(refusal()), maxWaitMs);
  try {
    return await take(giveUp.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Counts the items that a lane holds, and tells a waiting caller when the count falls to a limit. */
export class HeldCount {
  private waiting: { readonly limit: number; readonly resolve: () => void } | undefined;
  private held = 0;
  private ended = 0;

  get count(): number {
    return this.held;
  }

  /** Number of items that were held and have been removed since. */
  get finished(): number {
    return this.ended;
  }

  add(count: number): void {
    this.held += count;
  }

  remove(count: number): void {
    this.held -= count;
    this.ended += count;
    if (this.waiting !== undefined && this.held <= this.waiting.limit) {
      this.waiting.resolve();
      this.waiting = undefined;
    }
  }

  /** Resolves when at most `limit` items are held. Only one caller may wait at a time. */
  atMost(limit: number): Promise<void> {
    if (this.held <= limit) return Promise.resolve();
    return new Promise((resolve) => (this.waiting = { limit, resolve }));
  }
}

/** The room that one process has for work that teams share. */
export interface WorkPlaces {
  /** Number of places that are free. */
  readonly limit: number;
  /** Number of places that one team may hold. */
  readonly maxPerTeam: number;
  /** Number of places that each team holds now. */
  readonly held: ReadonlyMap<string, number>;
}
