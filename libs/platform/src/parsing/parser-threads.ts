import { Global, Injectable, Module, OnApplicationShutdown } from '@nestjs/common';
import { BudgetShare, changeCount, FairBudget } from '#kernel';
import { ParserThread } from './parser-thread.js';
import { Parser, ParsingBusyError } from './parser.js';

export interface ParserThreadsOptions {
  readonly maxThreads: number;
  /** Time limit of one input, from when a thread begins to parse it. */
  readonly deadlineMs: number;
  /** Megabytes of objects that one thread may have, without Buffers. */
  readonly maxHeapMb: number;
  /** Maximum number of waiting inputs, of one owner and in total. */
  readonly maxWaitingPerOwner: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
  /** How long an idle thread is kept. A thread takes about 8 MB, and 40 ms to start. */
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
   * The owner of the input: a team, or the address of an unknown client. An owner uses one thread at a time. Where
   * there are several owners, this holds for each of them.
   */
  readonly owner: string | readonly string[];
  /** They may be moved into the thread and are then empty here, so the caller must not use them afterwards. */
  readonly bytes: Uint8Array;
  readonly options: Options;
}

/**
 * Runs parsers of untrusted input outside the main thread, so that no input can stop the program. Each input has a
 * deadline and a memory limit, and a thread that exceeds one is ended and replaced. Owners take turns.
 *
 * Threads start with the first input that needs one.
 */
export class ParserThreads {
  private readonly idle: ParserThread[] = [];
  private readonly busy = new Set<ParserThread>();
  /** Each turn counts as one. */
  private readonly turns: FairBudget;
  private readonly waiting = new Map<string, number>();
  private waitingCount = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly options: ParserThreadsOptions = defaultOptions) {
    this.turns = new FairBudget({ total: options.maxThreads, maxPerOwner: 1 });
  }

  /**
   * Parses an input. Rejects with UnreadableError if it exceeds its deadline or memory, and with ParsingBusyError if too
   * many inputs wait. Inputs up to `maxInlineBytes` of the parser are parsed in this thread.
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

  /** Number of threads, busy or idle. */
  get count(): number {
    return this.idle.length + this.busy.size;
  }

  /** Ends all threads. Inputs that are being parsed fail. */
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
    if ((this.waiting.get(owner) ?? 0) >= maxWaitingPerOwner || this.waitingCount >= maxWaiting)
      throw new ParsingBusyError();
    changeCount(this.waiting, owner, 1);
    this.waitingCount++;
    try {
      return await this.turns.hold(owners, 1, { maxWaitMs: waitMs, refusal: () => new ParsingBusyError() });
    } finally {
      changeCount(this.waiting, owner, -1);
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

@Injectable()
class ParserThreadsCloser implements OnApplicationShutdown {
  constructor(private readonly threads: ParserThreads) {}

  onApplicationShutdown(): void {
    this.threads.stop();
  }
}

@Global()
@Module({
  providers: [{ provide: ParserThreads, useFactory: () => new ParserThreads() }, ParserThreadsCloser],
  exports: [ParserThreads],
})
export class ParsingModule {}
