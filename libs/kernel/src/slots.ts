/** How long a caller waits, and the error that it gets then. */
export interface Patience {
  readonly maxWaitMs: number;
  readonly refusal: () => Error;
}

/** A semaphore: at most `free` callers hold a slot at once, the others wait in order. */
export class Slots {
  private readonly waiting = new Set<() => void>();

  constructor(
    private free: number,
    /** Default: callers wait until their turn comes. */
    private readonly patience?: Patience,
  ) {}

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await this.turn();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  take(): Promise<void> {
    if (this.free === 0) return this.turn();
    this.free--;
    return Promise.resolve();
  }

  /** Passes the slot to the caller that has waited longest, or frees it. */
  release(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.free++;
      return;
    }
    this.waiting.delete(next);
    next();
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = this.patience && this.refuseLater(this.patience, begin, reject);
      this.waiting.add(begin);
    });
  }

  private refuseLater(
    { maxWaitMs, refusal }: Patience,
    begin: () => void,
    reject: (refusal: Error) => void,
  ): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.waiting.delete(begin);
      reject(refusal());
    }, maxWaitMs);
  }
}

/**
 * Waits for what `take` grants, at most `maxWaitMs`, and then throws the refusal. `take` must reject with the reason of
 * its signal. For one amount of one budget: `FairBudget.hold`.
 */
export async function takeWithin<Grant>(
  { maxWaitMs, refusal }: Patience,
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

/** Changes what is counted for an owner. Owners without any are forgotten. */
export function changeCount(counts: Map<string, number>, owner: string, change: number): void {
  const count = (counts.get(owner) ?? 0) + change;
  if (count === 0) counts.delete(owner);
  else counts.set(owner, count);
}
