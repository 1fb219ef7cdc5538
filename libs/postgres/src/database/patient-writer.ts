import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '#kernel';

/** First and maximum pause between two tries, in ms. */
const firstPauseMs = 50;
const maxPauseMs = 500;

/**
 * Repeats a write while the database is unavailable, without a time limit, because only this process has the data. The
 * write must recognise what it has already written, because a commit may have succeeded although its response was lost.
 */
export class PatientWriter {
  private readonly stopped = new AbortController();
  private waits = 0;

  /** @param onTrouble called after each try that failed because the database is unavailable. */
  constructor(private readonly onTrouble: (error: unknown) => void) {}

  /** Whether some write waits for the database. */
  get isWaiting(): boolean {
    return this.waits > 0;
  }

  /** Rejects with any other error, and with the next error once the writer has been stopped. */
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

  /** Ends the waiting. Writes that fail at their next try are rejected. */
  stop(): void {
    this.stopped.abort();
  }
}
