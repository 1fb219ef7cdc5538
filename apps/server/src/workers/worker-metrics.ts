import { countsOf, MetricValues, ProcessMetrics, sumOf } from '#observability/metrics';

/**
 * The metrics of the successive processes of one worker. The counts of earlier processes, up to their last response, are
 * kept, because a counter that falls would look like a restart of the whole program.
 */
export class WorkerMetrics {
  private last: ProcessMetrics | undefined;
  private countedBefore: readonly MetricValues[] = [];
  private isAsked = false;
  private readonly waiting = new Set<(hasResponded: boolean) => void>();

  /**
   * Calls `ask` unless it is undefined or a request is already open, and waits up to `withinMs` for the response. For a
   * process that does not respond in time, returns the counts that are known.
   */
  async read(ask: (() => void) | undefined, withinMs: number): Promise<ProcessMetrics> {
    const hasResponded = ask !== undefined && (await this.hasResponded(ask, withinMs));
    return {
      ofProcess: hasResponded ? (this.last?.ofProcess ?? []) : [],
      ofService: this.last === undefined ? this.countedBefore : sumOf(this.countedBefore, this.last.ofService),
    };
  }

  responded(metrics: ProcessMetrics): void {
    this.last = metrics;
    this.settleAll(true);
  }

  /** To be called when the process has ended. */
  ended(): void {
    if (this.last !== undefined) this.countedBefore = sumOf(this.countedBefore, countsOf(this.last.ofService));
    this.last = undefined;
    this.settleAll(false);
  }

  private hasResponded(ask: () => void, withinMs: number): Promise<boolean> {
    return new Promise((settle) => {
      const timeout = setTimeout(() => {
        // The response may never come. A late one does no harm.
        this.isAsked = false;
        this.settle(settled, false);
      }, withinMs);
      const settled = (hasResponded: boolean): void => {
        clearTimeout(timeout);
        settle(hasResponded);
      };
      this.waiting.add(settled);
      if (this.isAsked) return;
      this.isAsked = true;
      ask();
    });
  }

  private settleAll(hasResponded: boolean): void {
    this.isAsked = false;
    for (const waiting of this.waiting) this.settle(waiting, hasResponded);
  }

  private settle(waiting: (hasResponded: boolean) => void, hasResponded: boolean): void {
    this.waiting.delete(waiting);
    waiting(hasResponded);
  }
}
