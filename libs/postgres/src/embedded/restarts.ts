import { setTimeout as delay } from 'node:timers/promises';
import { Postmaster, PostmasterExit } from './postmaster.js';

const firstPauseMs = 100;
const maxPauseMs = 5_000;
/** After a server has run for this time, the next restart begins with the first pause again. */
const settledMs = 60_000;

export interface RestartOptions {
  /** Starts another server at the same address. Rejects if it does not become ready. */
  readonly start: () => Promise<Postmaster>;
  readonly onDeath: (exit: PostmasterExit) => void;
  /** A start failed and will be tried again. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Restarts PostgreSQL whenever it ends unexpectedly, after a pause that grows with repeated failures. It never gives
 * up, because the program has data that is not written yet and waits for the database.
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

  /** Stops the server. A server that is still starting is stopped once it has started. */
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
