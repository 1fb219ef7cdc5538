import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { movable } from './movable.js';
import { ParsingBusyError, UnreadableError } from './parsing-errors.js';
import type { ThreadMessage, ThreadReply, ThreadRequest } from './parser.js';

/** For a thread to start and to load a parser, 40 to 150 ms on a machine that has nothing else to do. */
const startMs = 30_000;

/** One thread that parses one thing at a time. It ends with the first thing that takes too long or too much. */
export class ParserThread {
  private readonly worker: Worker;
  private failure: Error | undefined;
  private begin: (() => void) | undefined;
  private settle: ((outcome: ThreadReply | Error) => void) | undefined;

  /** `maxHeapMb`: megabytes of objects. Buffers do not count there: callers bound them by the size of what they hand in. */
  constructor(maxHeapMb: number) {
    // In the form in which this very module was loaded: built, or TypeScript by way of a loader that was imported.
    const entry = new URL(`./thread-entry${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
    // Flags of V8 are refused for a thread.
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
   * Gives `bytes` away: they are moved into the thread where that saves a copy. Rejects with UnreadableError at the
   * deadline, or when the thread runs out of memory; it is not usable after either.
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
