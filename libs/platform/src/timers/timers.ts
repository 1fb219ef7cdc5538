import { BeforeApplicationShutdown, Global, Injectable, Module } from '@nestjs/common';
import { Logger } from '#observability/logging';

/** Maximum time for which a stop waits for running work. All work that is repeated may be ended at any point. */
const maxStopMs = 10_000;

/** Waits for running work as long as a stop does. */
export async function withinStop(work: Promise<unknown> | undefined): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => (limit = setTimeout(resolve, maxStopMs)));
  await Promise.race([work, tooLong]);
  clearTimeout(limit);
}

/** Repeats work while the program runs, in every process that registers it. */
@Injectable()
export class Timers implements BeforeApplicationShutdown {
  private readonly repetitions: Repetition[] = [];

  constructor(private readonly logger: Logger) {}

  /**
   * Repeats work: it begins again `pauseMs` after it has ended, so it never runs twice at once. A failure is logged,
   * and the work is tried again. A stop waits for running work, up to 10 s. `what` completes the log message "…
   * failed".
   */
  every(pauseMs: number, what: string, work: () => Promise<unknown>, firstMs = pauseMs): void {
    const failed = (error: unknown): void => this.logger.warn({ error }, `${what} failed; it is tried again`);
    this.repetitions.push(new Repetition(() => work().catch(failed), pauseMs, firstMs));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.repetitions.map((repetition) => repetition.stop()));
  }
}

class Repetition {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly pauseMs: number,
    firstMs: number,
  ) {
    this.wait(firstMs);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await withinStop(this.running);
  }

  private wait(ms: number): void {
    this.timer = setTimeout(() => {
      this.running = this.work().then(() => {
        if (!this.stopped) this.wait(this.pauseMs);
      });
    }, ms).unref();
  }
}

@Global()
@Module({ providers: [Timers], exports: [Timers] })
export class TimersModule {}
