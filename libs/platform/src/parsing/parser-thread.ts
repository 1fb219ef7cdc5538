import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { movable } from './movable.js';
import {
  ParsingBusyError,
  type ThreadMessage,
  type ThreadReply,
  type ThreadRequest,
  UnreadableError,
} from './parser.js';

/** Time limit for starting a thread and loading a parser, which takes 40 to 150 ms on an idle machine. */
const startMs = 30_000;

/** One thread that parses one input at a time. It is ended when an input takes too much time or memory. */
export class ParserThread {
  private readonly worker: Worker;
  private failure: Error | undefined;
  private begin: (() => void) | undefined;
  private settle: ((outcome: ThreadReply | Error) => void) | undefined;

  /** `maxHeapMb`: megabytes of objects. Buffers are not included: callers limit them by the size of the input. */
  constructor(maxHeapMb: number) {
    // The same file extension as this module: built JavaScript, or TypeScript with a loader.
    const entry = new URL(`./thread-entry${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
    // A thread refuses V8 flags, so only loaders are passed.
    const execArgv = process.execArgv.filter((argument) => argument.startsWith('--import='));
    const resourceLimits = { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
    this.worker = new Worker(entry, { resourceLimits, execArgv });
    this.worker.unref();
    this.worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'begins') this.begin?.();
      else this.settle?.(message);
    });
    this.worker.on('error', (error) => this.end(failureOf(error)));
    this.worker.on('exit', () => this.end(new Error('A parser thread ended by itself')));
  }

  get isUsable(): boolean {
    return this.failure === undefined;
  }

  /**
   * Parses `bytes`. They may be moved into the thread, so the caller must not use them afterwards. Rejects with
   * UnreadableError at the deadline, or when the thread runs out of memory. In both cases the thread is not usable any
   * more.
   */
  async run(url: string, bytes: Uint8Array, options: unknown, deadlineMs: number): Promise<unknown> {
    const given = movable(bytes);
    const request: ThreadRequest = { url, bytes: given, options };
    this.worker.ref();
    let deadline = setTimeout(() => this.end(new ParsingBusyError()), startMs);
    this.begin = () => {
      clearTimeout(deadline);
      deadline = setTimeout(() => this.end(new UnreadableError('took too long')), deadlineMs);
    };
    try {
      const outcome = await new Promise<ThreadReply | Error>((resolve) => {
        this.settle = resolve;
        if (this.failure === undefined) this.worker.postMessage(request, [given.buffer]);
        else resolve(this.failure);
      });
      if (outcome instanceof Error) throw outcome;
      if (outcome.kind === 'failed') throw new Error(`A parser failed: ${outcome.message}`);
      return outcome.value;
    } finally {
      clearTimeout(deadline);
      this.settle = undefined;
      this.begin = undefined;
      this.worker.unref();
    }
  }

  stop(): void {
    this.end(new Error('The parser threads are stopped'));
  }

  private end(failure: Error): void {
    if (this.failure !== undefined) return;
    this.failure = failure;
    this.settle?.(failure);
    void this.worker.terminate();
  }
}

function failureOf(error: unknown): Error {
  const isMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? new UnreadableError('took too much memory') : (error as Error);
}
