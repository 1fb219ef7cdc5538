import type { ProcessMetrics } from '#platform/metrics';

/** What a worker process tells the process that started it, over their channel. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly workerId: string }
  /** The answer to a question. */
  | { readonly kind: 'metrics'; readonly metrics: ProcessMetrics };

/** What the process that started it asks a worker process. */
export interface WorkerQuestion {
  readonly kind: 'metrics';
}

/** The argument that makes the program a worker process: it belongs to its parent, greets nobody and ends with it. */
export const workerArgument = 'worker-process';
