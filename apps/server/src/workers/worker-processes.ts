import type { ChildProcess } from 'node:child_process';
import { Logger } from '#platform/logging';
import type { ProcessMetrics } from '#platform/metrics';
import type { WorkerMessage, WorkerQuestion } from './worker-messages.js';
import { WorkerMetrics } from './worker-metrics.js';

const firstPauseMs = 250;
const maxPauseMs = 30_000;
/** Who has run for so long has not failed at its start: its next death begins a new row. */
const settledMs = 10_000;
/** Prometheus gives up after ten seconds by default. */
const metricsWithinMs = 2_000;

export interface WorkerProcessesOptions {
  readonly count: number;
  /** Starts a worker process with a channel to this one. */
  readonly start: () => ChildProcess;
  /** Returns to the queue what a worker that died held. */
  readonly abandon: (workerId: string) => Promise<void>;
  /** How long a stop waits before it ends what is left. */
  readonly stopMs: number;
  readonly logger: Logger;
}

/**
 * Keeps a number of worker processes running beside this one: who dies is replaced, after a pause that grows while
 * deaths follow each other, and what it held returns to the queue at once instead of when its heartbeat is missed.
 *
 * A worker process ends by itself when its channel closes, so none outlives this process, however that ended.
 */
export class WorkerProcesses {
  private readonly slots: WorkerSlot[];

  constructor(options: WorkerProcessesOptions) {
    this.slots = Array.from({ length: options.count }, (_, index) => new WorkerSlot(index, options));
  }

  /** How many are running. */
  get running(): number {
    return this.slots.filter(({ pid }) => pid !== undefined).length;
  }

  /** What each has to show, by its name. Those that do not answer are not waited for. */
  async metrics(): Promise<ReadonlyMap<string, ProcessMetrics>> {
    const read = this.slots.map(async (slot) => [slot.name, await slot.metrics()] as const);
    return new Map(await Promise.all(read));
  }

  start(): void {
    for (const slot of this.slots) slot.start();
  }

  /** Every worker finishes what it has under way. Resolves when all have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.stop()));
  }
}

/** One worker process after the other. */
class WorkerSlot {
  private child: ChildProcess | undefined;
  /** Known once it is ready. */
  private workerId: string | undefined;
  private startedAt = 0;
  private deaths = 0;
  private restart: NodeJS.Timeout | undefined;
  private isStopping = false;
  private readonly measured = new WorkerMetrics();

  constructor(
    private readonly index: number,
    private readonly options: WorkerProcessesOptions,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get name(): string {
    return `worker-${this.index + 1}`;
  }

  metrics(): Promise<ProcessMetrics> {
    const question: WorkerQuestion = { kind: 'metrics' };
    const isReady = this.workerId !== undefined;
    return this.measured.read(isReady ? () => this.child?.send(question, () => undefined) : undefined, metricsWithinMs);
  }

  start(): void {
    this.startedAt = performance.now();
    const child = this.options.start();
    this.child = child;
    child.on('message', (message: WorkerMessage) => {
      if (this.child === child) this.hear(message);
    });
    // Without a listener it would end this process. Of one that runs it says that it could not be told something.
    child.on('error', (error) => {
      if (child.pid === undefined) this.ended(child, String(error));
    });
    child.on('exit', (code, signal) => this.ended(child, signal ?? `exit status ${code}`));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.restart);
    const { child } = this;
    if (child === undefined) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const impatience = setTimeout(() => child.kill('SIGKILL'), this.options.stopMs);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(impatience);
  }

  private hear(message: WorkerMessage): void {
    switch (message.kind) {
      case 'ready':
        this.workerId = message.workerId;
        return;
      case 'metrics':
        this.measured.answered(message.metrics);
        return;
    }
  }

  private ended(child: ChildProcess, how: string): void {
    if (this.child !== child) return;
    const { workerId } = this;
    this.child = undefined;
    this.workerId = undefined;
    this.measured.ended();
    if (this.isStopping) return;
    if (workerId !== undefined) this.abandon(workerId);
    this.deaths = performance.now() - this.startedAt >= settledMs ? 1 : this.deaths + 1;
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (this.deaths - 1));
    this.options.logger.error({ worker: this.index, how, pauseMs }, 'a worker process ended; starting another');
    this.restart = setTimeout(() => this.start(), pauseMs);
  }

  private abandon(workerId: string): void {
    this.options.abandon(workerId).catch((error: unknown) => {
      this.options.logger.warn({ error }, 'what a dead worker held returns when its heartbeat is missed');
    });
  }
}
