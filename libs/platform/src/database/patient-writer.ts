import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '#kernel';

/** How soon a database that is away is asked again, and how seldom at last, in ms. */
const firstPauseMs = 50;
const maxPauseMs = 500;

/**
 * Repeats a write while the database is away, for as long as that takes: the writer knows something that nobody else does.
 * The write must recognise what it has written before, as a commit may have happened without its answer being heard.
 */
export class PatientWriter {
  private readonly stopped = new AbortController();
  private waits = 0;

  /** @param onTrouble is told of each try that failed, and is not called for anything but an absent database. */
  constructor(private readonly onTrouble: (error: unknown) => void) {}

  /** Something is kept that could not be written yet. */
  get isWaiting(): boolean {
    return this.waits > 0;
  }

  /** Rejects with whatever else went wrong, and once it has been stopped. */
  async write<Result>(work: () => Promise<Result>): Promise<Result> {
    let isWaiting = false;
    try {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
        try {
          return await work();
        } catch (error) {
          if (!isDatabaseAway(error) || this.stopped.signal.aborted) throw error;
          if (!isWaiting) this.waits++;
          isWaiting = true;
          this.onTrouble(error);
        }
        await delay(pauseMs, undefined, { signal: this.stopped.signal }).catch(() => undefined);
      }
    } finally {
      if (isWaiting) this.waits--;
    }
  }

  /** Waits no longer: what cannot be written at the next try is given up. */
  stop(): void {
    this.stopped.abort();
  }
}
