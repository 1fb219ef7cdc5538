import { DomainError } from '#kernel';

/** There was no connection in time. */
export class NoConnectionError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'The service is busy. Please try again.');
  }
}

/**
 * The connections of the pool that one kind of work may hold at once: where all its statements wait for a lock, the rest
 * of the pool serves the rest of the program. Who finds none free waits, first come, first served, for `patienceMs` at most.
 */
export class ConnectionShare {
  private readonly waiting = new Set<() => void>();
  private held = 0;

  constructor(
    private readonly maxConnections: number,
    private readonly patienceMs: number,
  ) {}

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.held < this.maxConnections) this.held++;
    else await this.turn();
    try {
      return await work();
    } finally {
      this.giveBack();
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(impatience);
        resolve();
      };
      const impatience = setTimeout(() => {
        this.waiting.delete(begin);
        reject(new NoConnectionError());
      }, this.patienceMs);
      this.waiting.add(begin);
    });
  }

  /** To the next in line, who then holds it. */
  private giveBack(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.held--;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
