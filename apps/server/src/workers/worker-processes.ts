import type { ChildProcess } from 'node:child_process';
import { Logger } from '#observability/logging';
import type { ProcessMetrics } from '#observability/metrics';
import type { WorkerMessage, WorkerRequest } from './worker-messages.js';
import { WorkerMetrics } from './worker-metrics.js';

const firstPauseMs = 250;
const maxPauseMs = 30_000;
/** A process that ran for this long did not fail at its start: the pauses begin again with the shortest. */
const settledMs = 10_000;
/** Maximum wait for the metrics of a worker. Prometheus gives up after ten seconds by default. */
const maxMetricsWaitMs = 2_000;

export interface WorkerProcessesOptions {
  readonly count: number;
  /** Starts a worker process with a channel to this one. */
  readonly start: () => ChildProcess;
  /** Returns the mail of a dead worker to the queue. */
  readonly abandon: (workerId: string) => Promise<void>;
  /** How long a stop waits before it kills the remaining processes. */
  readonly stopMs: number;
  readonly logger: Logger;
}

/**
 * Keeps a number of worker processes running. A process that dies is replaced, after a pause that grows with successive
 * deaths. Its mail returns to the queue at once, before its heartbeat would be missed.
 *
 * A worker process ends itself when its channel closes, so none outlives this process.
 */
export class WorkerProcesses {
  private readonly slots: WorkerSlot[];

  constructor(options: WorkerProcessesOptions) {
    this.slots = Array.from({ length: options.count }, (_, index) => new WorkerSlot(index, options));
  }

  /** The number of running processes. */
  get running(): number {
    return this.slots.filter(({ pid }) => pid !== undefined).length;
  }

  /** The metrics of each worker by its name. Does not wait for workers that do not respond in time. */
  async metrics(): Promise<ReadonlyMap<string, ProcessMetrics>> {
    const read = this.slots.map(async (slot) => [slot.name, await slot.metrics()] as const);
    return new Map(await Promise.all(read));
  }

  start(): void {
    for (const slot of this.slots) slot.start();
  }

  /** Every worker finishes its work under way. Resolves when all have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.stop()));
  }
}

/** Runs successive processes of one worker. */
class WorkerSlot {
  private child: ChildProcess | undefined;
  /** Known once the process is ready. */
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
    const request: WorkerRequest = { kind: 'metrics' };
    const isReady = this.workerId !== undefined;
    return this.measured.read(isReady ? () => this.child?.send(request, () => undefined) : undefined, maxMetricsWaitMs);
  }

  start(): void {
    this.startedAt = performance.now();
    const child = this.options.start();
    this.child = child;
    child.on('message', (message: WorkerMessage) => {
      if (this.child === child) this.onMessage(message);
    });
    // Without a listener the event would end this process. If the worker runs, it only means that a message was not sent.
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
    const timeout = setTimeout(() => child.kill('SIGKILL'), this.options.stopMs);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timeout);
  }

  private onMessage(message: WorkerMessage): void {
    switch (message.kind) {
      case 'ready':
        this.workerId = message.workerId;
        return;
      case 'metrics':
        this.measured.responded(message.metrics);
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
      this.options.logger.warn(
        { error },
        'the mail of a dead worker returns to the queue once its heartbeat is missed',
      );
    });
  }
}
