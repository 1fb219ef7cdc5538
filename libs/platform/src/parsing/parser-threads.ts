import { BudgetShare, FairBudget } from '#kernel';
import { ParserThread } from './parser-thread.js';
import { Parser } from './parser.js';
import { ParsingBusyError } from './parsing-errors.js';

export interface ParserThreadsOptions {
  readonly maxThreads: number;
  /** Of one input, from when a thread begins with it. */
  readonly deadlineMs: number;
  /** Megabytes of objects that one thread may have, Buffers aside. */
  readonly maxHeapMb: number;
  /** Inputs that wait for a thread, of one owner and of all together. */
  readonly maxWaitingPerOwner: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
  /** What an idle thread is kept for. It takes about 8 MB, and 40 ms to start. */
  readonly idleMs: number;
}

export const defaultOptions: ParserThreadsOptions = {
  maxThreads: 2,
  deadlineMs: 10_000,
  maxHeapMb: 256,
  maxWaitingPerOwner: 50,
  maxWaiting: 500,
  waitMs: 30_000,
  idleMs: 60_000,
};

export interface ParsingTask<Options> {
  /**
   * A team, or the address of a stranger: whoever's input it is. One owner has one thread at a time, each of them where
   * there are several.
   */
  readonly owner: string | readonly string[];
  /** Given away: they may be moved into the thread, and are empty here then. */
  readonly bytes: Uint8Array;
  readonly options: Options;
}

/**
 * Runs parsers of what customers and strangers wrote off the main thread, so that no input can stop the program: each has
 * a deadline and a limit of memory, and a thread that passes one is ended and replaced. Owners take turns.
 *
 * Threads start with the first input that needs one.
 */
export class ParserThreads {
  private readonly idle: ParserThread[] = [];
  private readonly busy = new Set<ParserThread>();
  /** A turn is one "byte". */
  private readonly turns: FairBudget;
  private readonly waiting = new Map<string, number>();
  private waitingCount = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly options: ParserThreadsOptions = defaultOptions) {
    this.turns = new FairBudget({ totalBytes: options.maxThreads, maxBytesPerOwner: 1 });
  }

  /**
   * Rejects with UnreadableError where the input passes its deadline or memory, with ParsingBusyError where too much is
   * waiting. Small inputs of a parser that allows it are parsed right here.
   */
  async run<Options, Result>(parser: Parser<Options, Result>, task: ParsingTask<Options>): Promise<Result> {
    const { bytes, options } = task;
    if (bytes.length <= parser.maxInlineBytes) return parser.parse(bytes, options);
    const turn = await this.turnOf([task.owner].flat());
    try {
      return (await this.runInThread(parser.url, bytes, options)) as Result;
    } finally {
      turn.release();
    }
  }

  /** Threads that there are, at work or idle. */
  get count(): number {
    return this.idle.length + this.busy.size;
  }

  /** Ends all threads. What they were parsing fails. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.idleTimer);
    for (const thread of [...this.idle.splice(0), ...this.busy]) thread.stop();
  }

  private async runInThread(url: string, bytes: Uint8Array, options: unknown): Promise<unknown> {
    const thread = this.idle.pop() ?? new ParserThread(this.options.maxHeapMb);
    this.busy.add(thread);
    try {
      if (this.isStopped) thread.stop();
      return await thread.run(url, bytes, options, this.options.deadlineMs);
    } finally {
      this.busy.delete(thread);
      if (thread.isUsable) this.keep(thread);
    }
  }

  private async turnOf(owners: readonly string[]): Promise<BudgetShare> {
    const { maxWaiting, maxWaitingPerOwner, waitMs } = this.options;
    const owner = owners.join('\n');
    const waiting = this.waiting.get(owner) ?? 0;
    if (waiting >= maxWaitingPerOwner || this.waitingCount >= maxWaiting) throw new ParsingBusyError();
    this.waiting.set(owner, waiting + 1);
    this.waitingCount++;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new ParsingBusyError()), waitMs);
    try {
      return await this.turns.take(owners, 1, patience.signal);
    } finally {
      clearTimeout(timer);
      const left = (this.waiting.get(owner) ?? 1) - 1;
      if (left === 0) this.waiting.delete(owner);
      else this.waiting.set(owner, left);
      this.waitingCount--;
    }
  }

  private keep(thread: ParserThread): void {
    this.idle.push(thread);
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => this.endIdle(), this.options.idleMs).unref();
  }

  private endIdle(): void {
    for (const thread of this.idle.splice(0)) thread.stop();
  }
}
