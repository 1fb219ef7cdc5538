import { setTimeout as delay } from 'node:timers/promises';
import { Postmaster, PostmasterExit } from './postmaster.js';

const firstPauseMs = 100;
const maxPauseMs = 5_000;
/** A server that has run for as long did not fail at its start: its next death begins a new row. */
const settledMs = 60_000;

export interface RestartOptions {
  /** Starts another server at the same address; rejects where it does not come up. */
  readonly start: () => Promise<Postmaster>;
  readonly onDeath: (exit: PostmasterExit) => void;
  /** It could not be started yet, and is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Starts PostgreSQL again whenever it ends by itself, after a pause that grows while deaths follow each other, for as long as
 * it takes: whoever runs on it knows things that have not been written, and waits for it.
 */
export class Restarts {
  private readonly stopped = new AbortController();
  private readonly running: Promise<void>;

  constructor(
    private postmaster: Postmaster,
    private readonly options: RestartOptions,
  ) {
    this.running = this.run();
  }

  /** Stops the server, and one that is only just starting once it has started. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.postmaster.stop();
    await this.running;
    await this.postmaster.stop();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    let pauseMs = firstPauseMs;
    for (;;) {
      const since = performance.now();
      const exit = await this.postmaster.exited;
      if (signal.aborted) return;
      if (performance.now() - since > settledMs) pauseMs = firstPauseMs;
      this.options.onDeath(exit);
      for (let isRunning = false; !isRunning; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
        isRunning = await this.restart();
        if (signal.aborted) return;
      }
    }
  }

  private async restart(): Promise<boolean> {
    try {
      this.postmaster = await this.options.start();
      return true;
    } catch (error) {
      this.options.onTrouble(error);
      return false;
    }
  }
}
