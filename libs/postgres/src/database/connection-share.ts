import { NoConnectionError } from '#kernel';

/**
 * Limits the pool connections that one kind of work may hold at once, so that others remain for the rest of the program
 * where all its statements wait for a lock. Work that finds no free connection waits, first come, first served, for at
 * most `maxWaitMs`.
 */
export class ConnectionShare {
  private readonly waiting = new Set<() => void>();
  private held = 0;

  constructor(
    private readonly maxConnections: number,
    private readonly maxWaitMs: number,
    /** The share of which this one is a part: what is held here counts there too. */
    private readonly whole?: ConnectionShare,
  ) {}

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.held < this.maxConnections) this.held++;
    else await this.turn();
    try {
      return await (this.whole === undefined ? work() : this.whole.use(work));
    } finally {
      this.release();
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timeout);
        resolve();
      };
      const timeout = setTimeout(() => {
        this.waiting.delete(begin);
        reject(new NoConnectionError());
      }, this.maxWaitMs);
      this.waiting.add(begin);
    });
  }

  /** Passes the connection to the next waiting work, or frees it. */
  private release(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.held--;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
