import { countsOf, MetricValues, ProcessMetrics, sumOf } from '#platform/metrics';

/**
 * The metrics of the processes that run in one worker's place, one after the other. What an earlier one counted stays,
 * up to its last answer: a count that fell would look like a restart of everything.
 */
export class WorkerMetrics {
  private last: ProcessMetrics | undefined;
  private countedBefore: readonly MetricValues[] = [];
  private isAsked = false;
  private readonly waiting = new Set<(isAnswered: boolean) => void>();

  /**
   * Asks, where there is somebody to ask and no question is open, and waits so long. A process that does not answer shows
   * what it counted.
   */
  async read(ask: (() => void) | undefined, withinMs: number): Promise<ProcessMetrics> {
    const isAnswered = ask !== undefined && (await this.isAnswered(ask, withinMs));
    return {
      ofProcess: isAnswered ? (this.last?.ofProcess ?? []) : [],
      ofService: this.last === undefined ? this.countedBefore : sumOf(this.countedBefore, this.last.ofService),
    };
  }

  answered(metrics: ProcessMetrics): void {
    this.last = metrics;
    this.settleAll(true);
  }

  /** The process is gone. */
  ended(): void {
    if (this.last !== undefined) this.countedBefore = sumOf(this.countedBefore, countsOf(this.last.ofService));
    this.last = undefined;
    this.settleAll(false);
  }

  private isAnswered(ask: () => void, withinMs: number): Promise<boolean> {
    return new Promise((settle) => {
      const impatience = setTimeout(() => {
        // The answer may never come; should it come late, it does no harm.
        this.isAsked = false;
        this.settle(settled, false);
      }, withinMs);
      const settled = (isAnswered: boolean): void => {
        clearTimeout(impatience);
        settle(isAnswered);
      };
      this.waiting.add(settled);
      if (this.isAsked) return;
      this.isAsked = true;
      ask();
    });
  }

  private settleAll(isAnswered: boolean): void {
    this.isAsked = false;
    for (const waiting of this.waiting) this.settle(waiting, isAnswered);
  }

  private settle(waiting: (isAnswered: boolean) => void, isAnswered: boolean): void {
    this.waiting.delete(waiting);
    waiting(isAnswered);
  }
}
